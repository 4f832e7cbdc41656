import { SecretMasker } from '../../emulator/runner/masks.ts';
import { asObject } from '../../src/kernel/json.ts';
import type { ToldEvent } from '../player/events.ts';
import type { Request } from './arguments.ts';

/** True if a run is only explained. */
export const isExplained = ({ inputs }: Pick<Request, 'inputs'>): boolean =>
  inputs['mode'] === 'explain';

/**
 * The opening of a pull request that an event closes: without it, there is no preview to end. Undefined for every
 * other event, every other action, where it is only explained, and where nothing is to be invented.
 */
export function openingOf(
  request: Pick<Request, 'action' | 'inputs' | 'real'>,
  { name, payload }: ToldEvent,
) {
  const pullRequest = asObject(payload['pull_request']);
  const isClose = payload['action'] === 'closed' && name.startsWith('pull_request');
  const isPlayed = request.action === 'deploy' && !isExplained(request) && !request.real;
  if (!isPlayed || !isClose || pullRequest === undefined) return undefined;
  const opened = { ...pullRequest, state: 'open', closed_at: null, merged: false, merged_at: null };
  return { name, payload: { ...payload, action: 'opened', pull_request: opened } };
}

/** The command that plays the same again, but for secrets: the page that it stands on may be passed on. */
export function commandOf(
  { action, inputs, own, event, fork, payload, end, dialect, world, real }: Request,
  { name }: Pick<ToldEvent, 'name'>,
  masks: readonly string[],
): string {
  const masker = new SecretMasker();
  for (const mask of masks) masker.add(mask);
  const given = Object.entries(inputs).map(([input, value]) => `${input}=${value}`);
  const words = [
    action,
    ...given,
    ...own,
    `--event ${event ?? name}`,
    ...(fork ? ['--fork'] : []),
    ...(payload === undefined ? [] : [`--payload ${payload}`]),
    `--end ${end}`,
    ...dialect.map((choice) => `--dialect ${choice}`),
    ...(world === undefined ? [] : [`--world ${world}`]),
    ...(real ? ['--real'] : []),
  ];
  return masker.mask(words.join(' '));
}
