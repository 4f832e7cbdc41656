import { startGitHub } from '../../emulator/github/index.ts';
import { startEmulator } from '../../emulator/index.ts';
import { runAction } from '../../emulator/runner.ts';
import { eventNamed, eventNames, startByEvent } from '../../scripts/player/events.ts';
import { fromFork } from '../../scripts/player/fork.ts';
import { unpacked } from '../support/places.ts';
import { shareProcess } from '../support/shared-process.ts';
import { type RecordedPlay, record } from './recorded.ts';

/** Inputs beside the key, the address and the project; an empty value takes one of those away. */
const given: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'as it is': {},
  'without a project': { 'project-id': '' },
  'without an address': { 'base-url': '' },
  preview: { 'preview-domain': 'pr-{number}.preview.example.com' },
  leased: {
    'project-id': '',
    'preview-projects':
      '11111111-1111-4111-8111-111111111111\n22222222-2222-4222-8222-222222222222',
    'preview-domain': 'pr-{number}.preview.example.com',
  },
  pushed: { 'git-url': 'https://git.example.com/{projectId}.git', 'git-token': 'fake-git-token' },
  checked: {
    'verify-url': 'https://www.example.com/',
    'verify-contains': '{sha}',
    'on-failed-checks': 'roll-back',
    'on-older': 'skip',
  },
  'if needed': { deploy: 'if-needed', 'verify-url': 'https://www.example.com/' },
  'not deployed': { deploy: 'false', 'env-from': 'STRIPE_KEY' },
  variables: { 'env-from': 'STRIPE_KEY', 'env-targets': 'production', comment: 'false' },
};

async function explain(
  name: string,
  event: string,
  { inputs, isFork }: { inputs: Readonly<Record<string, string>>; isFork: boolean },
): Promise<RecordedPlay> {
  await using emulator = await startEmulator();
  await using github = await startGitHub();
  const project = await emulator.world.createProject();
  const sha = 'a1'.repeat(20);
  const told = isFork ? fromFork(eventNamed(event)) : eventNamed(event);
  const start = startByEvent(told, { sha }, github);
  const result = await runAction({
    launch: shareProcess,
    action: unpacked,
    event: start.event,
    github: { ...start.github, apiUrl: github.url, token: github.token },
    inputs: { mode: 'explain', 'base-url': emulator.url, 'project-id': project.id, ...inputs },
    env: { STRIPE_KEY: 'fake-stripe-key' },
    secrets: ['fake-stripe-key'],
  });
  return record(name, { emulator, github, steps: [result], names: { [sha]: 'head' } });
}

/** The product of events and inputs, explained; pull requests from a fork as well. */
export const explained = (): (readonly [string, () => Promise<RecordedPlay>])[] =>
  eventNames.flatMap((event) =>
    Object.entries(given).flatMap(([row, inputs]) =>
      [false, ...(event.startsWith('pull_request') || event === 'workflow_run' ? [true] : [])].map(
        (isFork) => {
          const name = `explained: ${event}${isFork ? ' of a fork' : ''}: ${row}`;
          return [name, () => explain(name, event, { inputs, isFork })] as const;
        },
      ),
    ),
  );
