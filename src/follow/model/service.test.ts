import { describe, expect, it } from 'vitest';
import { defaultPaths, readService } from './service.ts';

const faults = (text: string) =>
  readService(text).problems.map(({ input, code, message }) => {
    expect([input, code]).toEqual(['service', 'SD1108']);
    return message;
  });

describe('the service', () => {
  it.each([undefined, '', ' \n', '# nothing\n\n'])('has defaults: %j', (text) => {
    expect(readService(text)).toEqual({
      paths: defaultPaths,
      customStatuses: { success: [], failure: [] },
      problems: [],
    });
  });

  it('is what its lines say, in any order and with any line breaks', () => {
    const text = [
      ' success = published, live now ',
      '# where progress is read',
      'deployment-status=/v2/{projectId}/builds/{deploymentId}',
      '',
      'failure=exploded',
      'deployment-events=/v2/builds/{deploymentId}/events',
      'message-events=/turns/{messageId}/%7Estream;a=b',
      'success=PUBLISHED,gone=live',
    ].join('\r\n');
    expect(readService(text)).toEqual({
      paths: {
        'deployment-status': '/v2/{projectId}/builds/{deploymentId}',
        'deployment-events': '/v2/builds/{deploymentId}/events',
        'message-events': '/turns/{messageId}/%7Estream;a=b',
      },
      customStatuses: {
        success: ['published', 'live now', 'PUBLISHED', 'gone=live'],
        failure: ['exploded'],
      },
      problems: [],
    });
  });

  it.each([
    'succes=zorp',
    'Success=zorp',
    'success',
    'success: zorp',
    '=zorp',
    '/v1/{deploymentId}',
    'deployment-stats=/v1/{deploymentId}',
    'constructor=zorp',
    '__proto__=zorp',
    'https://user:not-a-real-password@example.com/?a=b',
  ])('has no line %j', (line) => {
    expect(faults(`success=a\n${line}`)).toEqual([
      'line 2: must begin with deployment-status=, deployment-events=, message-events=, success= or failure=',
    ]);
  });

  it.each(['success=', 'failure= , ', 'failure=-_', 'success=# zorp'])(
    'has no empty value: %j',
    (line) => {
      expect(faults(`\n${line}`)).toEqual([
        `line 2: ${line.slice(0, 7)} must be one or more statuses, with commas between them`,
      ]);
    },
  );

  it.each([
    '',
    '/',
    'v1/{deploymentId}',
    '/v1/{projectId}',
    '/v1/{deploymentid}',
    '/v1/{messageId}',
    '/v1/{deploymentId}/{messageId}',
    '/v1/{deploymentId}/{branch}',
    '//example.com/{deploymentId}',
    '\\\\example.com/{deploymentId}',
    '/\\example.com/{deploymentId}',
    'https://example.com/{deploymentId}',
    '@example.com/{deploymentId}',
    ':8080/{deploymentId}',
    '/v1/../{deploymentId}',
    '/v1/{deploymentId}/..',
    '/v1/%2e%2e/{deploymentId}',
    '/v1/.%2E/{deploymentId}',
    '/v1/a%2f..%2f{deploymentId}',
    '/v1/./{deploymentId}',
    '/v1/{deploymentId}?a=b',
    '/v1/{deploymentId}?',
    '/v1?id={deploymentId}',
    '/v1/{deploymentId}#a',
    '/v1/{deploymentId}#',
    '/v1/a b/{deploymentId}',
    '/v1/a\tb/{deploymentId}',
    '/v1/\u0000/{deploymentId}',
    '/v1/é/{deploymentId}',
  ])('has no path %j', (path) => {
    expect(faults(`deployment-events=${path}`)).toEqual([
      'line 1: deployment-events must be a path such as /v1/projects/{projectId}/deployments/{deploymentId}/events: with {deploymentId}, without dot segments, query, fragment and host',
    ]);
  });

  it('needs the id of a message in its path', () => {
    expect(faults('message-events=/v1/{deploymentId}')).toEqual([
      expect.stringContaining('with {messageId}, '),
    ]);
  });

  it('has each path once', () => {
    const line = 'deployment-status=/v1/{deploymentId}';
    expect(faults(`${line}\n\n${line}`)).toEqual([
      'line 3: deployment-status is already in line 1',
    ]);
  });

  it('has no status that means both, however it is spelled', () => {
    expect(faults('failure=zorp-zap\nsuccess=ready\nsuccess=done,Zorp Zap')).toEqual([
      'line 3: "Zorp Zap" means failure in line 1',
    ]);
  });

  it('has all mistakes reported', () => {
    expect(faults('a\nsuccess=\nmessage-events=/\nfailure=x,y\nsuccess=x,y')).toHaveLength(5);
  });
});
