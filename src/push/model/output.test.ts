import { describe, expect, test } from 'vitest';
import { type PushVerdict, readPushReport, readReference } from '../result.ts';
import { readErrorOutput } from './fault.ts';
import { isNewEnough, readGitVersion } from './git-failure.ts';

const [a, b] = ['a'.repeat(40), 'b'.repeat(40)];

describe('the report of a push', () => {
  const line = (flag: string, summary: string, to = 'refs/heads/main') =>
    `To https://git.example.com/site.git\n${flag}\t${a}:${to}\t${summary}\nDone\n`;

  test.each<[string, string, PushVerdict]>([
    ['a fast-forward', line(' ', 'aaaaaaa..bbbbbbb'), { kind: 'pushed' }],
    ['a forced one', line('+', 'aaaaaaa...bbbbbbb (forced update)'), { kind: 'pushed' }],
    ['a new branch', line('*', '[new reference]'), { kind: 'pushed' }],
    ['nothing to do', line('=', '[up to date]'), { kind: 'unchanged' }],
    ['others pushed', line('!', '[rejected] (fetch first)'), { kind: 'outdated' }],
    ['not a fast-forward', line('!', '[rejected] (non-fast-forward)'), { kind: 'outdated' }],
    ['a lost lease', line('!', '[rejected] (stale info)'), { kind: 'outdated' }],
    [
      'a refusal',
      line('!', '[remote rejected] (protected branch hook declined)'),
      { kind: 'rejected', reason: 'protected branch hook declined' },
    ],
    [
      'a refusal with brackets and tabs in it',
      line('!', '[remote rejected] (a (b)\t[rejected] (c))'),
      { kind: 'rejected', reason: 'a (b)\t[rejected] (c)' },
    ],
    ['a refusal without reason', line('!', '[remote rejected]'), { kind: 'rejected', reason: '' }],
    ['no room', line('!', '[remote rejected] (unpacker error)'), { kind: 'not-stored' }],
    [
      'no report from the other side',
      line('!', '[remote failure] (remote failed to report status)'),
      { kind: 'unknown' },
    ],
    ['another branch', line(' ', 'a..b', 'refs/heads/main2'), { kind: 'unknown' }],
    [
      'a branch that ends alike',
      line(' ', 'a..b', 'refs/heads/x/refs/heads/main'),
      { kind: 'unknown' },
    ],
    ['nothing', '', { kind: 'unknown' }],
  ])('%s', (_name, output, verdict) => {
    expect(readPushReport(output, 'refs/heads/main')).toEqual(verdict);
  });
});

test.each([
  ['the branch', `${a}\trefs/heads/main\n`, a],
  ['others that end alike', `${b}\trefs/heads/x/refs/heads/main\n${a}\trefs/heads/main\n`, a],
  ['only others', `${b}\trefs/heads/x/refs/heads/main\n`, null],
  ['nothing', '', null],
  ['something else', 'not a repository\n', null],
  ['an id of SHA-256', `${a}${b.slice(16)}\trefs/heads/main\n`, `${a}${b.slice(16)}`],
  ['a longer id', `${a}${b}\trefs/heads/main\n`, null],
])('of references, %s', (_name, output, head) => {
  expect(readReference(output, 'refs/heads/main')).toBe(head);
});

test("the trace and git's own message are separated", () => {
  const output = [
    '01:48:00.673657 http.c:725              == Info:   Trying 127.0.0.1:40899...',
    '01:48:00.673806 http.c:684              => Send header: GET /x/info/refs HTTP/1.1',
    '01:48:00.684737 http.c:684              <= Recv header: HTTP/1.1 100 Continue',
    '01:48:00.684737 http.c:684              <= Recv header: HTTP/2 200',
    '01:48:00.684737 http.c:684              <= Recv header: x: HTTP/1.1 404',
    'hint: see the manual',
    'remote: <= Recv header: HTTP/1.1 403',
    '',
    '01:48:00.684737 trace/http.c:684        <= Recv header: HTTP/1.1 401 Unauthorized',
    "fatal: could not read Username for 'http://127.0.0.1:40899'\r",
  ].join('\n');
  expect(readErrorOutput(output)).toEqual({
    statuses: [100, 200, 401],
    detail:
      "remote: <= Recv header: HTTP/1.1 403\nfatal: could not read Username for 'http://127.0.0.1:40899'",
    remarks: ['<= Recv header: HTTP/1.1 403'],
  });
});

test.each([
  ['refuses', ['CONNECT', 403], { statuses: [], proxyStatus: 403 }],
  ['lets through', ['CONNECT', 200, 'GET', 401], { statuses: [401], proxyStatus: undefined }],
])('a proxy that %s is no other side', (_name, trace, told) => {
  const output = trace.map((one) => {
    const is = typeof one === 'string' ? `=> Send header: ${one} x:443` : '<= Recv header:';
    return `01:48:00.673657 http.c:684  ${is} HTTP/1.1 ${one}`;
  });
  expect(readErrorOutput(output.join('\n'))).toEqual({ ...told, detail: '', remarks: [] });
});

test('only the last response redirects', () => {
  const traced = (status: number, location: string) => [
    '01:48:00.673657 http.c:684  => Send header: GET /x/info/refs HTTP/1.1',
    `01:48:00.684737 http.c:684  <= Recv header: HTTP/1.1 ${status}`,
    `01:48:00.684737 http.c:684  <= Recv header: Location: ${location}`,
  ];
  const first = traced(301, '/one');
  expect(readErrorOutput(first.join('\n'))).toMatchObject({ location: '/one' });
  const second = traced(302, '/two').slice(0, 2);
  expect(readErrorOutput([...first, ...second].join('\n')).location).toBeUndefined();
  expect(readErrorOutput('remote: <= Recv header: location: /x').location).toBeUndefined();
});

test("git's message leaves out that prompts are disabled", () => {
  const unasked =
    "fatal: could not read Username for 'http://127.0.0.1:40899': terminal prompts disabled";
  const { detail } = readErrorOutput(`remote: The token is revoked\n${unasked}\n`);
  expect(detail).toBe('remote: The token is revoked');
});

test('of a long message the last lines are kept', () => {
  const flood = Array.from({ length: 1000 }, (_, index) => `remote: ${index}`);
  const { detail } = readErrorOutput([...flood, 'fatal: the end'].join('\n'));
  expect(detail.split('\n')).toEqual([...flood.slice(-5), 'fatal: the end']);
});

test.each<[string, string | null, boolean]>([
  ['git version 2.39.5\n', '2.39.5', true],
  ['git version 2.39.5 (Apple Git-154)\n', '2.39.5', true],
  ['git version 2.47.1.windows.2\n', '2.47.1', true],
  ['git version 2.32.0\n', '2.32.0', true],
  ['git version 3.0.0-rc1\n', '3.0.0', true],
  ['git version 2.31.8\n', '2.31.8', false],
  ['git version 1.99\n', '1.99', false],
  ['hub version 2.14\n', null, false],
])('%s', (printed, version, enough) => {
  expect(readGitVersion(printed)).toBe(version);
  expect(version !== null && isNewEnough(version)).toBe(enough);
});
