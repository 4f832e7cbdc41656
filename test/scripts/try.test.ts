import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startGitHub } from '../../emulator/github/index.ts';
import { startEmulator } from '../../emulator/index.ts';
import { eventNamed, eventNames, startByEvent } from '../../scripts/player/events.ts';
import { root } from '../../scripts/player/play.ts';
import { UsageError } from '../../scripts/player/usage-error.ts';
import { readRequest } from '../../scripts/try/arguments.ts';
import { dialectHelp, help } from '../../scripts/try/help.ts';
import { play as playAny } from '../../scripts/try/play.ts';
import { traitsOf } from '../../src/github/runner/webhook.ts';
import { rows } from '../support/exhaustive.ts';
import { commandsOf } from './page.ts';
import { play } from './play.ts';

const outcome = (text: string) => /^ {2}outcome +(.*)$/m.exec(text)?.[1];

const refusalOf = async (words: readonly string[]): Promise<string> => {
  const error: unknown = await play(words).catch((cause: unknown) => cause);
  if (error instanceof UsageError) return error.message;
  throw new Error(`not refused: ${words.join(' ')}`, { cause: error });
};

describe.concurrent('docs/trying-it.md', () => {
  it('has seven commands, which do what is said', async () => {
    const commands = await commandsOf('try');
    const played = await Promise.all(commands.map(play));
    expect(played.map(({ text }) => outcome(text))).toEqual([
      'failed',
      'planned',
      'succeeded',
      'succeeded',
      'cleaned-up',
      'conflict',
      'planned',
    ]);
    const [failed, , message, pushed, closed] = played;
    expect(failed?.comment).toContain('the build failed');
    expect(failed?.text).not.toContain('Warning: ');
    expect(message?.comment).not.toBe('');
    expect(pushed?.text).toMatch(/^ {2}pushed +true$/m);
    expect(closed?.text).toMatch(
      /pull request is opened\n.*\nPreview of #7 is live .*Then the pull request is closed/s,
    );
    expect(closed?.text).toContain('pr-7.preview.example.com is no longer assigned');
    expect(closed?.comment).toContain('is removed');
    expect(closed?.page).toContain('deploy --event pull_request.closed --end success');
  });
});

/** A line for a project that there is not. */
const elsewhere = '00000000-0000-4000-8000-000000000000';

describe.concurrent('npm run try --real', () => {
  const lines: [string, string, string[]][] = [
    ['deploy commit-sha=HEAD', 'succeeded', ['readEnvironment', 'createDeployment']],
    ['deploy commit-sha=HEAD env-from=NOT_THERE', 'failed', []],
    ['env-sync env-from=NOT_THERE', 'failed', []],
    ['env-sync', 'synced', ['readEnvironment']],
    ['env-sync api-key=', 'failed', []],
    ['deploy commit-sha=HEAD project-id=', 'failed', []],
    ['domains', 'failed', []],
    ['message', 'failed', []],
    ['projects', 'succeeded', ['listProjects']],
  ];
  // With all that it needs, with a name that is not there, and without what it needs.
  it.each(rows(lines, (_, index) => [0, 2, 5].includes(index)))(
    'sends a service only what is given: %s',
    async (words, expected, asked) => {
      await using emulator = await startEmulator({ dialect: { buildMs: 20 } });
      const project = await emulator.world.createProject();
      const [action = '', ...given] = words.split(' ');
      const access = [`base-url=${emulator.url}`, `api-key=${emulator.key}`];
      const id = action === 'projects' ? [] : [`project-id=${project.id}`];
      const played = await play([action, '--real', ...access, ...id, ...given]);
      expect(outcome(played.text)).toBe(expected);
      expect(played.text).not.toMatch(/fake value|sample/);
      const operations = emulator.journal.entries.map(({ operation }) => operation);
      expect(operations).toEqual(expect.arrayContaining(asked));
      if (asked.length === 0) expect(operations).toEqual([]);
      expect(project.variables).toEqual([]);
      expect(project.messages).toEqual([]);
    },
  );

  it('is not needed where a run is only explained', async () => {
    const played = await play(['deploy', 'base-url=https://api.example.com', 'mode=explain']);
    expect(outcome(played.text)).toBe('planned');
  });
});

describe.concurrent('npm run try', () => {
  const ends: [string, string, string, number][] = [
    ['deploy', 'success', 'succeeded', 0],
    ['deploy', 'timeout', 'timed-out', 1],
    ['deploy', 'pending-domain', 'succeeded', 0],
    ['deploy', 'cancelled', 'cancelled', 1],
    ['deploy', 'conflict', 'conflict', 1],
    ['env-sync', 'failure', 'failed', 1],
    ['domains', 'failure', 'failed', 1],
    ['domains', 'conflict', 'conflict', 1],
    ['domains', 'pending-domain', 'synced', 0],
    ['message', 'failure', 'failed', 1],
    ['projects', 'failure', 'failed', 1],
  ];
  // Each end once.
  it.each(rows(ends, (_, index) => [1, 3, 5, 7, 8].includes(index)))(
    'brings %s to its end: %s',
    async (action, end, expected, code) => {
      const short = end === 'timeout' ? ['timeout=1s'] : [];
      const played = await play([action, '--end', end, '--exit-code', ...short]);
      expect(outcome(played.text)).toBe(expected);
      expect(played.status).toBe(code);
      expect(played.summary).not.toBe('');
      if (end === 'pending-domain') expect(played.summary).toContain('is not verified yet');
    },
  );

  it.each(rows(['merge_group', 'pull_request_target', 'workflow_run'], 1))(
    'plays the event %s, so that the action finds the commit',
    async (name) => {
      const played = await play(['deploy', '--event', name, 'allow-production=true']);
      expect(outcome(played.text)).toBe('succeeded');
    },
  );

  const forks: [string, string, string][] = [
    ['pull_request', 'skipped', 'skipped-reason'],
    ['pull_request_target', 'succeeded', 'preview-url'],
    ['workflow_run', 'succeeded', 'preview-url'],
  ];
  // One that is held back, and one that is let in.
  it.each(rows(forks, 2))("plays a fork's pull request: %s", async (name, expected, shown) => {
    const words = ['deploy', '--event', name, '--fork', 'preview-domain', 'git-url'];
    const played = await play([...words, 'env-from=A_KEY']);
    expect(outcome(played.text)).toBe(expected);
    expect(played.text).toMatch(new RegExp(`^ {2}${shown} `, 'm'));
    expect(played.page).toContain(`--event ${name} --fork`);
  });

  it('keeps the ledger of a commit that is brought', async () => {
    const words = ['deploy', 'git-url', 'env-from=A_KEY', '--event', 'push'];
    expect((await play(words)).text).not.toContain('has no Actions cache');
  });

  it('has help that fits a screen, and the choices of a dialect apart', () => {
    expect(help().split('\n').length).toBeLessThanOrEqual(60);
    expect(help()).toMatch(/schedule +default for env-sync/);
    expect(help()).not.toContain('deploymentEnds');
    expect(dialectHelp()).toContain('deploymentEnds');
  });

  it('has an example of every event that starts a workflow', async () => {
    await using github = await startGitHub();
    const sha = 'a'.repeat(40);
    for (const name of eventNames) {
      const { event } = startByEvent(eventNamed(name), { sha }, github);
      const place = traitsOf(name)?.commit;
      if (place !== undefined) expect(JSON.stringify(event), name).toContain(sha);
    }
    expect(eventNames).toEqual(expect.arrayContaining(['push', 'schedule', 'image_version']));
  });

  it('shows secrets to nobody, and says which are fake', async () => {
    const played = await play(['deploy', '--event', 'pull_request', 'env-from=A_KEY', '--unfold']);
    expect(played.text).toContain('using fake values: A_KEY');
    expect(played.text).toContain('A_KEY: ***');
    expect(played.comment).toContain('is deployed');
    expect(JSON.stringify(played)).not.toContain('fake-value-of-a_key');
  });

  it('shows no secret that stands in the command', async () => {
    const secret = 'not-a-real-secret-0123456789';
    const played = await play([
      'env-sync',
      `api-key=${secret}`,
      `env-ledger-key=${secret}-too`,
      'env=A=1',
    ]);
    expect(played.page).toContain('env-sync api-key=*** env-ledger-key=*** env=A=1');
    expect(JSON.stringify(played)).not.toContain(secret);
  });

  it.each(['', join(root, 'package.json')])(
    'refuses a folder that cannot be one: "%s"',
    async (out) => {
      const request = readRequest(['deploy', `--out=${out}`]);
      if (request === null) throw new Error('help was asked for');
      const lines: string[] = [];
      const playing = playAny(request, { print: (line) => lines.push(line) });
      await expect(playing).rejects.toThrow(UsageError);
      expect(lines).toEqual([]);
    },
  );

  it('plays a payload, whatever is in it, about a commit of the local world', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'try-payload-'));
    const file = join(folder.path, 'payload.json');
    const hostile = '<img src=x onerror=alert(1)> ::error::fake\u001b[31m';
    const repo = { full_name: 'octo-org/octo-site' };
    const pull_request = {
      number: 7,
      title: hostile,
      state: 'open',
      head: { ref: hostile, sha: hostile, repo },
      base: { ref: 'main', sha: hostile, repo },
    };
    const payload = { action: hostile, number: 7, pull_request, __proto__: null };
    await writeFile(file, JSON.stringify(payload));
    const played = await play(['deploy', '--event', 'pull_request', '--payload', file]);
    expect(outcome(played.text)).toBe('succeeded');
    expect(JSON.stringify(played)).not.toMatch(/onerror|\\u001b\[31m|::error::/);
  });

  it.each([
    ['deploi', 'unknown action "deploi"; did you mean "deploy"?'],
    ['deploy env-form=A', 'no input "env-form"; did you mean "env-from"?'],
    ['deploy timeout', 'timeout needs a value'],
    ['deploy --evnt push', 'unknown option "--evnt"; did you mean "--event"?'],
    ['deploy --event pul_request', 'unknown event "pul_request"; did you mean "pull_request"?'],
    ['deploy --event pull_request.clsd', 'no action "clsd"; did you mean "closed"?'],
    ['deploy --event push --fork', "--fork needs an event with a pull request's repository"],
    ['deploy --end failur', 'unknown end "failur"; did you mean "failure"?'],
    ['message --end conflict', '"message" has no end "conflict"; it has success'],
    ['deploy --dialect offer=poll', 'unknown setting "offer"; did you mean "offers"?'],
    ['deploy --dialect offers=pol', `offers can't be "pol"; did you mean "poll"?`],
    ['deploy --dialect buildMs=soon', `buildMs can't be "soon"; it must be number`],
    [
      'deploy --dialect rateLimit={evry:3}',
      'it must be { status, retryAfter, seconds, every } | null',
    ],
    ['deploy --event push --payload package.jso', "can't read the file package.jso"],
    [`deploy --event push --payload ${join(root, 'README.md')}`, 'README.md is not JSON'],
    ['deploy --payload package.json', '--payload needs --event'],
    ['env-sync base-url=https://api.example.com', 'base-url: api.example.com is not this machine'],
    ['message base-url=https://me:pw@api.example.com', 'base-url: api.example.com is not'],
    ['deploy base-url=http://127.0.0.1.example.com:80', 'is not this machine'],
    ['projects base-url=https://[2001:db8::1]/v1', 'Add --real to use only your inputs'],
    ['deploy git-url=https://git.example.com/{projectId}.git', 'only an invented commit'],
    ['deploy git-url=git@git.example.com:a/b.git', 'only an invented commit'],
    [
      `deploy git-url=${elsewhere}=ssh://git@git.example.com/a`,
      'git-url: npm run try has only an invented commit',
    ],
    ['deploy --real git-url=http://localhost/a.git', 'Remove git-url'],
    ['env-sync --real project-id', 'with --real, nothing is filled in'],
    ['env-sync --real --end conflict', 'remove it or --real'],
    ['deploy --real', 'commit-sha needs a value'],
    ['deploy --real commit-sha=HEAD --event pull_request', 'set --payload to your own'],
    ['deploy --real commit-sha=HEAD --event issue_comment', 'set --payload to your own'],
  ])('refuses: %s', async (words, says) => {
    expect(await refusalOf(words.split(' '))).toContain(says);
  });
});
