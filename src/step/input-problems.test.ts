import { describe, expect, test } from 'vitest';
import { read as event, fork, pullRequest } from '../../test/support/events.ts';
import { requiredAndEmpty } from '../kernel/diagnostic.ts';
import { explainProblem } from './input-problems.ts';

const push = event('push', {});
const forked = event('pull_request', { pull_request: pullRequest(fork) });
const dependabot = event('push', {}, { actor: 'dependabot[bot]' });

const explain = (input: string, of = push, environment = {}) =>
  explainProblem(
    { input, code: 'SD1001', message: requiredAndEmpty },
    { context: { event: of }, environment },
  ).message;

describe('an empty input', () => {
  test.each([
    ['a key on a push', 'api-key', push, [/\. The secret it comes from is not set, or this job/]],
    ['a key of a fork', 'api-key', forked, [/from forks get no secrets/, /fork-preview\.yml/]],
    [
      'a key of Dependabot',
      'api-key',
      dependabot,
      [/→ Dependabot/, /may get only Dependabot secrets/],
    ],
    ['a key outside a runner', 'api-key', event('', {}), [/The secret .* is not set/]],
    ['a base URL', 'base-url', push, [/The variable it comes from is not set, or this job/]],
    [
      'a base URL of a fork',
      'base-url',
      forked,
      [/from forks get no configuration variables/, /fork-preview\.yml/],
    ],
    ['a project', 'project-id', push, [/The variable it comes from is not set/]],
  ])('is explained: %s', (_name, input, of, expected) => {
    const message = explain(input, of);
    expect(message).toMatch(/^is empty[.:] /);
    for (const words of expected) expect(message).toMatch(words);
  });

  test('is not said to be withheld where nothing is, nor to be unset where it is withheld', () => {
    expect(explain('api-key')).not.toMatch(/fork|Dependabot/);
    expect(explain('api-key', forked)).not.toContain('Settings');
    expect(explain('project-id', forked)).not.toMatch(/Settings|not set/);
    expect(explain('base-url')).not.toContain('secret');
  });

  test.for(['api-key', 'base-url', 'project-id'])('is explained in few words: %s', (input) => {
    expect(explain(input).split(/\s+/).length).toBeLessThanOrEqual(30);
  });

  test('that no secret or variable fills stays as it is, and so does every other mistake', () => {
    expect(explain('content')).toBe(requiredAndEmpty);
    expect(explain('constructor')).toBe(requiredAndEmpty);
    const other = { input: 'api-key', code: 'SD1004' as const, message: 'holds a character' };
    expect(explainProblem(other, { context: { event: push }, environment: {} })).toMatchObject(
      other,
    );
  });

  test.each([
    ['api-key', { INPUT_API_KEY: 'x', 'INPUT_API-KEY': '' }, 'api_key'],
    ['api-key', { INPUT_APIKEY: 'x' }, 'apikey'],
    ['project-id', { 'INPUT_API-KEY': 'x', INPUT_PROJECT_ID: 'x' }, 'project_id'],
    ['content', { 'INPUT_CON-TENT': 'x' }, 'con-tent'],
  ])('is compared with what was given: %s, of %j', (input, environment, given) => {
    const message = `is empty; ${given} was given: did you mean ${input}?`;
    expect(explain(input, push, environment)).toBe(message);
  });

  test('is not compared with itself, with what is empty, and with what is no input', () => {
    const others = { 'INPUT_API-KEY': ' ', INPUT_API_KEY: '', API_KEY: 'x', INPUT_KEY: 'x' };
    expect(explain('api-key', push, others)).toMatch(/^is empty\. The secret/);
  });

  test('is called and given as its platform has it, and so is any other', () => {
    const inputWords = { nameOf: (name: string) => `--${name}`, howToGive: () => 'set it' };
    const explained = (input: string, message: string) =>
      explainProblem(
        { input, code: 'SD1001', message },
        { context: { event: push, inputWords }, environment: {} },
      );
    expect(explained('api-key', requiredAndEmpty)).toMatchObject({
      name: '--api-key',
      message: 'is empty: set it',
    });
    expect(explained('env-file .env', 'is wrong')).toMatchObject({
      name: '--env-file .env',
      message: 'is wrong',
    });
  });
});
