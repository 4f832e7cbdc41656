import { once } from 'node:events';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import type { DialectOptions } from '../../../emulator/index.ts';
import { logEntries } from '../../../src/step/open-service.ts';
import { textOf } from '../../support/read-report.ts';
import type { World } from '../../support/world.ts';
import type { WrongBodies } from './answers.ts';
import type { IsSo, RepeatDetector } from './rules.ts';

/** A world in which a write is to be done. */
export interface Arranged extends WrongBodies {
  /** Runs the step that does it. */
  act(): Promise<RepeatDetector>;
  /** What has come of it. */
  look(): IsSo;
  /** Runs the next run of the same step, where one has anything to say. */
  actAgain?(): Promise<RepeatDetector>;
}

/** A write of the interface, as a step does it. */
export interface Write {
  name: string;
  /** What its name is put together of, if it is one of a product: each of them meets each answer. */
  parts?: readonly string[];
  /** The operation that the answer is to, as in the journal. */
  operation: string;
  /** The dialects that make a difference. */
  dialects: Readonly<Record<string, DialectOptions>>;
  /** False if there is no such object before the write. */
  hasBefore: boolean;
  /** True if {@link WrongBodies} has an answer that only names the object. */
  hasBare?: true;
  /** Kinds of answer by which nobody can know better, and why. */
  unknowable?: Readonly<Record<string, string>>;
  arrange(world: World): Promise<Arranged>;
}

/** The lines of a world's log since the last time. */
export function logOf({ told }: World, error: string | undefined): string {
  const lines = told.splice(0).flatMap(logEntries);
  return [...lines.map(textOf), error ?? ''].join('\n');
}

/** The dialects of a write that takes an idempotency key. */
export const keyDialects: Write['dialects'] = {
  'keys replay': { idempotency: 'replay' },
  'keys are ignored': { idempotency: 'ignore' },
  'keys conflict': { idempotency: 'conflict' },
};

/** What the service answers to a request of the test's own. */
export async function ask(
  { emulator }: World,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const headers = { 'x-api-key': emulator.key, 'content-type': 'application/json' };
  const asking = request(`${emulator.url}${path}`, { method, headers });
  asking.end(body && JSON.stringify(body));
  const [answer] = await once(asking, 'response');
  return await json(answer);
}
