// Attack (starting): A published release differs from what the release workflow built
// Defense: The major tag moves, and the command is published on npm, only after the release was downloaded and verified

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { type GhCall, type GhEnd, startGh } from '../examples/gh.ts';
import { rehearse, workflow } from './rehearsal.ts';

const { folder, source, inSource, read, remove } = rehearse();
afterAll(remove);

const job = z.object({
  needs: z.union([z.string(), z.array(z.string())]).optional(),
  permissions: z.record(z.string(), z.string()),
  steps: z.array(z.object({ run: z.string().optional() })),
});
const { jobs } = z.object({ jobs: z.object({ verify: job, npm: job }) }).parse(parse(workflow));

const repository = 'octo-org/site-deploy-action';
const mainSha = 'a'.repeat(40);

/** What the workflow attested: the digest of each file. */
const attested = read('build/release/checksums.txt')
  .trim()
  .split('\n')
  .map((line) => line.split('  ')[0]);

const digestOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

const commandOf = ({ args }: GhCall) => args.slice(0, 2).join(' ');

const option = ({ args }: GhCall, name: string) => args[args.indexOf(name) + 1] ?? '';

/** Ends with an error unless it is right. */
const verified = (isRight: boolean): GhEnd => (isRight ? {} : { stderr: 'no match', status: 1 });

/** GitHub, after the release of `source` was published: its command line, in the folder of the job. */
function createGitHub(work: string) {
  const published = join(source, 'build/release');
  const answers: Record<string, (call: GhCall) => GhEnd> = {
    'auth setup-git': () => ({}),
    'release verify': ({ args }) => verified(args[2] === 'v1.0.0'),
    'release download': (call) => {
      for (const name of ['site-deploy-action-1.0.0.tar.gz', 'checksums.txt']) {
        cpSync(join(published, name), join(work, option(call, '--dir'), name));
      }
      return {};
    },
    'release verify-asset': ({ args: [, , tag, file = ''] }) =>
      verified(
        tag === 'v1.0.0' &&
          digestOf(join(work, file)) === digestOf(join(published, basename(file))),
      ),
    'attestation verify': (call) =>
      verified(
        attested.includes(digestOf(join(work, call.args[2] ?? ''))) &&
          option(call, '--source-digest') === mainSha &&
          option(call, '--signer-workflow') === `${repository}/.github/workflows/release.yml`,
      ),
  };
  return (call: GhCall): GhEnd => {
    const command = commandOf(call);
    if (command !== 'auth setup-git') expect(call.env['GH_TOKEN']).toBe('fake-token');
    if (!command.startsWith('auth')) expect(option(call, '--repo')).toBe(repository);
    const answer = answers[command];
    if (answer === undefined) throw new Error(`gh ${command} is not expected`);
    return answer(call);
  };
}

type GitHub = (call: GhCall) => GhEnd;

/** Runs the steps of the job on a checkout of the tag, until one fails. */
async function verify(change: (gitHub: GitHub, work: string) => GitHub = (gitHub) => gitHub) {
  const [origin, work, programs] = ['origin-', 'work-', 'programs-'].map((name) =>
    mkdtempSync(join(folder, name)),
  ) as [string, string, string];
  inSource('git', 'clone', '--quiet', '--bare', source, origin);
  inSource('git', 'clone', '--quiet', origin, work);
  inSource('git', '-C', work, 'checkout', '--quiet', '--detach', 'v1.0.0');
  writeFileSync(join(programs, 'sleep'), '#!/bin/sh\n', { mode: 0o755 });
  using gh = await startGh(programs, change(createGitHub(work), work));
  const script = jobs.verify.steps.flatMap(({ run = [] }) => run).join('\n');
  const env = {
    ...process.env,
    GH_TOKEN: 'fake-token',
    GITHUB_REPOSITORY: repository,
    GITHUB_SHA: mainSha,
    VERSION: '1.0.0',
    MAJOR: 'v1',
  };
  const run = promisify(execFile)('bash', ['-eu', '-c', script], { cwd: work, env });
  const succeeded = await run.then(
    () => true,
    () => false,
  );
  const tagged = (tag: string) =>
    inSource('git', '-C', origin, 'for-each-ref', '--format=%(objectname)', `refs/tags/${tag}`);
  return { succeeded, calls: gh.calls, moved: tagged('v1') === tagged('v1.0.0') };
}

/** A GitHub that rejects what a call is about. */
const rejecting = (isAbout: (call: GhCall) => boolean) => (gitHub: GitHub) => (call: GhCall) =>
  isAbout(call) ? verified(false) : gitHub(call);

test('npm waits for it, and it has no permission to sign or to attest', () => {
  expect(jobs.verify.needs).toBe('publish');
  expect(jobs.npm.needs).toBe('verify');
  expect(jobs.verify.permissions).toEqual({ contents: 'write', attestations: 'read' });
});

describe.skipIf(process.platform === 'win32')(
  'the job that verifies a release (in a shell of Linux or macOS)',
  () => {
    test('verifies each file, and moves the major tag', async () => {
      const { succeeded, moved, calls } = await verify();
      expect({ succeeded, moved }).toEqual({ succeeded: true, moved: true });
      const files = calls
        .filter(({ args }) => args[0] === 'attestation')
        .map(({ args }) => args[2]);
      const names = read('build/release/checksums.txt').match(/\S+$/gm) ?? [];
      const there = names.map((name) =>
        name.startsWith('dist/') ? name : `build/release/${name}`,
      );
      expect(files.toSorted()).toEqual(there.toSorted());
    });

    test('waits for the signature of the release', async () => {
      let left = 3;
      const { calls } = await verify((gitHub) => (call) => {
        const command = commandOf(call);
        if (command === 'release verify' && left > 0) left -= 1;
        else if (command !== 'release download') return gitHub(call);
        return verified(false);
      });
      const waiting = Array.from({ length: 4 }, () => 'release verify');
      expect(calls.map(commandOf)).toEqual([...waiting, 'release download']);
    });

    test.each<[what: string, change: (gitHub: GitHub, work: string) => GitHub]>([
      ['a release that is not signed', rejecting((call) => commandOf(call) === 'release verify')],
      [
        'a file that is not of the release',
        rejecting((call) => commandOf(call) === 'release verify-asset'),
      ],
      [
        'an archive that was not attested',
        rejecting(({ args }) => args[0] === 'attestation' && args[2]?.endsWith('.tar.gz') === true),
      ],
      [
        'a file of dist/ that was changed',
        (gitHub, work) => {
          appendFileSync(join(work, 'dist/actions-deploy.js'), '// changed');
          return gitHub;
        },
      ],
      [
        'a file of dist/ that was added',
        (gitHub, work) => {
          writeFileSync(join(work, 'dist/a.js'), 'added');
          return gitHub;
        },
      ],
    ])('leaves the major tag after %s', async (_, change) => {
      const { succeeded, moved } = await verify(change);
      expect({ succeeded, moved }).toEqual({ succeeded: false, moved: false });
    });
  },
);
