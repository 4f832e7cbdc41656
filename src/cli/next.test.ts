import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { runs } from '../../test/support/exhaustive.ts';
import type { Code } from '../kernel/code.ts';
import { type Diagnostic, diagnose } from '../kernel/diagnostic.ts';
import { unsafeText } from '../kernel/text/safe.ts';
import { type RunRequest, readArguments } from './arguments.ts';
import { actionNames, inputsOf, isOfNode, settingsOf } from './commands.ts';
import { needs, nextAfter, whys } from './next.ts';
import { commandWords } from './words.ts';

const codes = Object.keys(needs) as (keyof typeof needs)[];
const texts = [...Object.values(needs), ...Object.values(whys)];

function readRun(args: readonly string[]): RunRequest {
  const request = readArguments(args);
  if (request.kind !== 'run') throw new Error(`not a run: ${args.join(' ')}`);
  return request;
}

/** What follows an error of a command line, whose other inputs come from variables. */
function nextOf(
  code: Code,
  args: readonly string[],
  { variables = {}, branch }: { variables?: Record<string, string>; branch?: string } = {},
) {
  const request = readRun(args);
  const error: Diagnostic<string> = {
    ...diagnose(code, 'It failed'),
    branch: branch === undefined ? undefined : unsafeText(branch),
  };
  const inputs = { ...variables, ...request.inputs };
  return nextAfter(
    { error },
    { request, inputs, words: commandWords(request.command, request, {}) },
  );
}

test('twenty errors have a next step', () => expect(codes).toHaveLength(20));

test.each(texts)('%s: has at most 35 words, and the words of the command', (text) => {
  expect(text.split(' ').length).toBeLessThanOrEqual(35);
  const shown = commandWords('deploy', { inputs: {}, files: {} }, {}).translate(text);
  expect(shown).not.toMatch(/\b(?:job|workflow|step|runner|summary|action)\b/);
  const names = Object.keys(inputsOf('deploy')).filter((name) => name.includes('-'));
  expect(shown).not.toMatch(new RegExp(`(?<![-\\w])(?:${names.join('|')})`));
});

describe('the next command', () => {
  const deploy = ['deploy', '--project-id', 'a3f2b8a1-6d1e-4c55-9a37-0b1f5f7f2a10'];
  const url = { 'git-url': 'https://git.example.com/site.git' };

  it.each<[string, Code, string[], Parameters<typeof nextOf>[2], string[]]>([
    [
      'keeps what conflicts',
      'SD4001',
      ['--env-on-conflict', 'fail'],
      {},
      ['--env-on-conflict=keep'],
    ],
    [
      'keeps what conflicts, though a variable says otherwise',
      'SD4001',
      ['--json'],
      { variables: { 'env-on-conflict': 'fail' } },
      ['--json', '--env-on-conflict=keep'],
    ],
    ['adopts', 'SD7004', ['--git-force', 'auto'], {}, ['--git-force=adopt']],
    ['adopts by default', 'SD7004', [], {}, ['--git-force=adopt']],
    ['names the branch', 'SD7010', [], { branch: 'master' }, ['--git-branch=master']],
    [
      'leaves a wrong branch out',
      'SD3421',
      ['--git-branch=live', '--json'],
      { variables: url },
      ['--json', '--git-branch='],
    ],
    [
      'leaves a wrong branch out that a variable gives',
      'SD3421',
      [],
      { variables: { ...url, 'git-branch': 'live' } },
      ['--git-branch='],
    ],
    [
      'has a user name',
      'SD3500',
      ['--git-url', 'https://octo@b.example/c'],
      { variables: { 'git-token': 'a-fake-token' } },
      ['--git-url', 'https://octo@b.example/c'],
    ],
    [
      'has the user name of SSH',
      'SD3500',
      ['--git-url', 'ssh://git@b.example/c'],
      {},
      ['--git-url', 'ssh://git@b.example/c'],
    ],
    [
      'is the same',
      'SD3500',
      ['--env-from', 'A', '--env-from', 'B', '--api-key-file=-key', '--pull-request', 'none'],
      { variables: { env: 'A=fake-value', 'env-remove': '', create: 'false' } },
      ['--env-from', 'A', '--env-from', 'B', '--api-key-file=-key', '--pull-request', 'none'],
    ],
  ])('%s', (_what, code, flags, facts, expected) => {
    expect(nextOf(code, [...deploy, ...flags], facts)).toEqual({
      argv: [...deploy, ...expected],
      why: expect.any(String),
    });
  });

  it.each<[string, Code, string[], Parameters<typeof nextOf>[2]]>([
    ['keeps already', 'SD4001', ['--env-on-conflict', 'keep'], {}],
    ['may not force', 'SD7004', ['--git-force', 'false'], {}],
    ['tried to adopt', 'SD7004', ['--git-force', 'adopt'], {}],
    ['has several branches', 'SD7010', [], {}],
    ['has a branch that git refuses', 'SD7010', [], { branch: '--mirror' }],
    ['has a branch with a redacted secret', 'SD7010', [], { branch: 'a/***' }],
    ['names no branch', 'SD3421', [], { variables: url }],
    ['pushes nothing', 'SD3421', ['--git-branch', 'live'], {}],
    ['has a value that is wrong', 'SD3500', ['--timeout', 'long'], {}],
    [
      'shows the key',
      'SD3500',
      ['--env-ledger', 'a-fake-key'],
      { variables: { 'api-key': 'fake-key' } },
    ],
    [
      'shows the key as the name of a file',
      'SD3500',
      ['--report', 'a-fake-key'],
      { variables: { 'api-key': 'fake-key' } },
    ],
    ['may show a secret', 'SD3500', ['--env', 'A=b'], {}],
    ['shows a password', 'SD3500', ['--git-url', 'https://a:not-a-password@b.example/c'], {}],
    [
      'shows a token as a user name',
      'SD3500',
      ['--git-url', 'https://a-fake-token@b.example/c'],
      {},
    ],
    ['removes a variable', 'SD3500', ['--env-remove', 'A'], {}],
    ['overwrites', 'SD3500', ['--env-on-conflict', 'overwrite'], {}],
    ['forces', 'SD3500', ['--git-force', 'a'.repeat(40)], {}],
    ['may change production', 'SD3500', ['--allow-production', 'true'], {}],
    ['ends a preview', 'SD3500', ['--close'], {}],
    ['removes one by a variable', 'SD3500', [], { variables: { 'env-remove': 'A' } }],
    [
      'may change production by a variable',
      'SD3421',
      [],
      { variables: { ...url, 'git-branch': 'live', 'allow-production': 'true' } },
    ],
    ['is not to be confirmed', 'SD3500', ['--yes'], {}],
  ])('is left to a person where the command %s', (_what, code, flags, facts) => {
    expect(nextOf(code, [...deploy, ...flags], facts)).toEqual({ needs: expect.any(String) });
  });

  it.each([
    ['message', ['--content', 'Make it blue.']],
    ['projects', ['--create', 'true']],
  ])('never sends twice what %s sends', (command, flags) => {
    expect(nextOf('SD3500', [command, ...flags])).toEqual({ needs: expect.any(String) });
  });

  it('never creates a second project that a variable creates', () => {
    const next = nextOf('SD3500', ['projects'], { variables: { create: 'true' } });
    expect(next).toEqual({ needs: expect.any(String) });
  });

  it('is not known of other errors, nor of several different mistakes', () => {
    expect(nextOf('SD9003', deploy)).toBeUndefined();
    const [one, other] = [diagnose('SD1001', 'One'), diagnose('SD1002', 'Other')];
    const wrongInputs = [one, other].map((wrong) => ({ ...wrong, input: 'timeout' }));
    expect(nextAfter({ error: other, wrongInputs })).toBeUndefined();
    expect(nextAfter({ error: other, wrongInputs: wrongInputs.slice(1) })).toBeDefined();
  });

  it('calls an input by what gave it', () => {
    const words = commandWords('deploy', { inputs: {}, files: {} }, { SITE_BASE_URL: 'x' });
    const request = readRun(deploy);
    const error = diagnose('SD3001', 'No connection');
    const next = nextAfter({ error }, { request, inputs: {}, words });
    expect(next).toEqual({ needs: expect.stringContaining('check SITE_BASE_URL') });
  });
});

/** Values of flags: right, wrong, dangerous and secret ones. */
const [secret, password] = ['not-a-real-key-0123456789', 'not-a-real-password'];
const value = fc.oneof(
  fc.constantFrom(
    ...['true', 'false', 'auto', 'adopt', 'fail', 'keep', 'overwrite', 'main', '-x', 'a\nb', ''],
    ...['10m', 'a'.repeat(40), 'A3F2B8A1-6d1e-4c55-9a37-0b1f5f7f2a10', 'https://a.example/b.git'],
    ...[`A=${secret}`, `https://${secret}@a.example/b`, `https://a:${password}@a.example/b`],
  ),
  fc.string(),
);

const anyRun = fc.constantFrom(...actionNames).chain((command) => {
  const inputs = Object.entries(inputsOf(command)).flatMap(([name, { secret: isSecret }]) =>
    isSecret || isOfNode(name) ? [] : [name],
  );
  const settings = Object.keys(settingsOf(command)).filter((name) => name !== 'help');
  return fc.record({
    command: fc.constantFrom(command),
    code: fc.constantFrom(...codes),
    // The flags on which much depends, and any others.
    flags: fc.uniqueArray(
      fc.record({
        name: fc.oneof(
          fc.constantFrom(...inputs),
          fc.constantFrom(
            ...inputs.filter((name) => /^(env|git|allow)-|^env$/.test(name)),
            'timeout',
          ),
        ),
        value,
      }),
      { selector: ({ name }) => name, maxLength: 6 },
    ),
    settings: fc.uniqueArray(fc.constantFrom(...settings), { maxLength: 3 }),
    branch: fc.option(fc.oneof(value, fc.constantFrom('main')), { nil: undefined }),
    variables: fc.record(
      { 'git-url': value, 'env-on-conflict': value, 'api-key': fc.constantFrom(secret) },
      { requiredKeys: ['api-key'] },
    ),
  });
});

/** The changes that a next command may make. */
const changes = ['--env-on-conflict=keep', '--git-force=adopt'];

test('the next command of any run is read by our own parser, discards, deletes and forces nothing, switches no guard off, and has no secret', () => {
  let count = 0;
  fc.assert(
    fc.property(anyRun, ({ command, code, flags, settings, branch, variables }) => {
      const given = flags.map(({ name, value: text }) => `--${name}=${text}`);
      const ofRun = settings.map((name) =>
        'takes' in (settingsOf(command)[name] ?? {}) ? `--${name}=1` : `--${name}`,
      );
      const args = [command, ...given, ...ofRun];
      const next = nextOf(code, args, { variables, ...(branch !== undefined && { branch }) });
      if (next === undefined || 'needs' in next) return;
      count += 1;
      const { argv } = next;
      const before = readRun(args);
      const { inputs, args: _args, ...others } = readRun(argv);
      expect(others).toEqual({ kind: 'run', command, files: {}, settings: before.settings });
      // One flag is another, or is left out.
      const names = [...new Set([...Object.keys(inputs), ...Object.keys(before.inputs)])];
      const changed = names.filter((name) => inputs[name] !== before.inputs[name]);
      expect(changed.length).toBeLessThanOrEqual(1);
      for (const name of changed) {
        if (name === 'git-branch') continue;
        expect(changes).toContain(`--${name}=${inputs[name]}`);
      }
      for (const [name, text] of Object.entries(inputs)) {
        const { schema } = inputsOf(command)[name] ?? {};
        if (text.trim() !== '') expect(schema?.(text.trim())).toHaveProperty('value');
      }
      expect(argv.join('\n')).not.toMatch(new RegExp(`${secret}|^--git-url=.*${password}`, 'm'));
      expect(argv.filter((one) => /^--(env|env-remove)=/.test(one))).toEqual([]);
      expect(argv.filter((one) => /^--(yes|close|disconnect-on-close=true)/i.test(one))).toEqual(
        [],
      );
      expect(argv.filter((one) => /^--allow-production=true/i.test(one))).toEqual([]);
      expect(argv.filter((one) => /^--env-on-conflict=(?!keep|fail)./i.test(one))).toEqual([]);
      expect(argv.filter((one) => /^--git-force=(?!auto|adopt|false)./i.test(one))).toEqual([]);
      expect(argv.filter((one) => /^--create=true/i.test(one))).toEqual([]);
    }),
    runs(3000),
  );
  expect(count).toBeGreaterThan(0);
});
