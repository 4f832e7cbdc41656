import { join } from 'node:path';
import { parse } from 'yaml';
import type { ActionResult } from '../../emulator/runner.ts';
import { eventNamed, startByEvent } from '../../scripts/player/events.ts';
import { fromFork } from '../../scripts/player/fork.ts';
import { checkOutFiles, openPull, startExampleWorld } from '../examples/example-world.ts';
import { repository } from '../git/support.ts';
import { examples as workflows } from '../support/examples.ts';
import { root } from '../support/places.ts';
import { type RecordedPlay, record } from './recorded.ts';

/** The events by which a workflow starts, with their actions: `pull_request.closed`. */
function eventsOf(source: string): string[] {
  const { on = {} } = parse(source) as { on?: string | string[] | Record<string, unknown> };
  if (typeof on === 'string') return [on];
  if (Array.isArray(on)) return on;
  return Object.entries(on).flatMap(([name, about]) => {
    const types = (about as { types?: string[] } | null)?.types;
    return types === undefined ? [name] : types.map((type) => `${name}.${type}`);
  });
}

/** Plays a file twice for one event, in a world with an open pull request. */
async function play(
  name: string,
  { file, event, isFork }: { file: string; event: string; isFork: boolean },
): Promise<RecordedPlay> {
  await using world = await startExampleWorld();
  const { emulator, github } = world;
  const from = isFork ? 'somebody/octo-site' : repository;
  const { sha } = await openPull(world, from);
  const isStarter = file.startsWith('starter/');
  const workspace = isStarter ? join(root, 'examples/starter') : await checkOutFiles(world);
  const steps: (ActionResult | Error)[] = [];
  for (const attempt of ['1', '2']) {
    try {
      const named = eventNamed(event);
      const start = startByEvent(isFork ? fromFork(named) : named, { sha }, github);
      const { apiUrl: _, ...at } = { apiUrl: '', ...start.github };
      const played = await world.play(file, start.event, {
        workspace,
        inputs: { commit: '', shard: '', project: '', 'commit-sha': '' },
        github: { ...at, repository, runAttempt: attempt },
      });
      steps.push(...played);
    } catch (error) {
      steps.push(error instanceof Error ? error : new Error(String(error)));
    }
  }
  return record(name, { emulator, github, steps, names: { [sha]: 'head' } });
}

/** All examples with each event that starts them; pull requests from a fork as well. */
export const examples = (): (readonly [string, () => Promise<RecordedPlay>])[] =>
  workflows.flatMap(({ text, played: file }) =>
    eventsOf(text).flatMap((event) =>
      [false, ...(/^(pull_request|workflow_run)/.test(event) ? [true] : [])].map((isFork) => {
        const name = `example: ${file}: ${event}${isFork ? ' of a fork' : ''}`;
        return [name, () => play(name, { file, event, isFork })] as const;
      }),
    ),
  );
