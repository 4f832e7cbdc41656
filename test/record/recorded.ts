import type { GitHubStandIn } from '../../emulator/github/index.ts';
import type { Emulator } from '../../emulator/index.ts';
import type { ActionResult } from '../../emulator/runner.ts';
import { createScrub, scrubAll } from './scrub.ts';

/** What one step left where somebody or something reads it. */
export interface RecordedStep {
  conclusion: string;
  exitCode: number | null;
  outputs: Record<string, unknown>;
  log: string[];
  annotations: string[];
  summary: string;
  post?: Omit<RecordedStep, 'post' | 'outputs'>;
}

/** One play: its steps, and what the service and GitHub were sent and have at the end. */
export interface RecordedPlay {
  name: string;
  steps: RecordedStep[];
  /** How it ended, and what its scene expects, if that differs. */
  unexpected?: string | undefined;
  /** The writes to each resource of the service, in order, and what was read of it; without polls. */
  service: Record<string, string[]>;
  /** The same of GitHub. */
  github: Record<string, string[]>;
  comments: string[];
  /** Each GitHub Deployment with its statuses. */
  deployments: string[];
}

/** A play that is under way. */
export interface Played {
  emulator: Emulator;
  github?: GitHubStandIn;
  /** The steps that ended. An error is that of a play that cannot be played. */
  steps: readonly (ActionResult | Error)[];
  /** Commits and other things of this world, by their values. */
  names?: Readonly<Record<string, string>>;
  /** True if a run was killed: what was read before that rests on what came first. */
  isKilled?: boolean;
}

/** The repositories and numbers under which comments may stand. */
const places = ['octo-org/octo-site', 'Codertocat/Hello-World'] as const;

/** How many requests there were rests on how often an end was polled for. */
const countless = new Set(['requests', 'duration-ms']);

/** Which states are seen on the way of a domain or a build rests on time alone. */
const passing =
  / is not verified yet \(|^Domain \S+ is verified(?: after|$)|^\s*[\d.]+ ?m?s +(?:queued|building|publishing)$|^\s*done in /;

function stepOf(result: ActionResult | Error): RecordedStep {
  if (result instanceof Error) {
    return {
      conclusion: `not played: ${result.message}`,
      exitCode: null,
      outputs: {},
      log: [],
      annotations: [],
      summary: '',
    };
  }
  const { conclusion, exitCode, outputs, log, annotations, summary, post } = result;
  const known = Object.entries(outputs).map(([name, value]) => [
    name,
    countless.has(name) && value !== '' ? '<n>' : value,
  ]);
  return {
    conclusion,
    exitCode,
    outputs: Object.fromEntries(known),
    log: log.filter((line) => !passing.test(line)).map((line) => line.trim()),
    annotations: annotations.map(
      ({ level, title = '', message }) => `${level}: ${title}: ${message}`,
    ),
    summary,
    ...(post && { post: withoutOutputs(stepOf(post)) }),
  };
}

function withoutOutputs({ outputs: _, ...rest }: RecordedStep): Omit<RecordedStep, 'outputs'> {
  return rest;
}

interface Sent {
  method: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
  status: number | null;
}

/** Polls, and looks for an answer that has not come yet: how many there are, and whether any, rests on time. */
const polls = /^\/connected-domains\/|\/deployments(?:\/|$)|\/messages(?:\/|$)/;

/** What was written to each resource, in order, and then what was read of it, once each. */
function byResource(
  sent: readonly Sent[],
  { scrub, isKilled }: { scrub: (text: string) => string; isKilled: boolean },
): Record<string, string[]> {
  const written = new Map<string, string[]>();
  const read = new Map<string, Set<string>>();
  for (const { method, path: whole, query, body, status } of sent) {
    const path = scrub(whole);
    const line = `${method} ${JSON.stringify(query)} ${JSON.stringify(body) ?? ''} ${status}`;
    if (method !== 'GET') written.set(path, [...(written.get(path) ?? []), line]);
    else if (!isKilled && !polls.test(whole)) {
      read.set(path, (read.get(path) ?? new Set()).add(scrub(line)));
    }
  }
  const paths = [...new Set([...written.keys(), ...read.keys()])].sort();
  return Object.fromEntries(
    paths.map((path) => [
      path,
      [...(written.get(path) ?? []), ...[...(read.get(path) ?? [])].sort()],
    ]),
  );
}

/** What is kept of a play: the same for each play of one build. */
export function record(
  name: string,
  { emulator, github, steps, names = {}, isKilled = false }: Played,
): RecordedPlay {
  const known = new Map(Object.entries(names));
  for (const [index, project] of emulator.world.projects.entries()) {
    known.set(project.id, `project ${index + 1}`);
    for (const { id, name: variable } of project.variables) known.set(id, `variable ${variable}`);
    for (const { commit } of project.deployments) {
      if (!known.has(commit)) known.set(commit, `commit ${known.size + 1}`);
    }
  }
  const deployments = places.flatMap((place) => github?.deployments(place) ?? []);
  const numbers = new Set(github?.journal.flatMap(({ path }) => numbersIn(path)));
  const comments = places.flatMap((place) =>
    [...numbers].flatMap((number) => github?.comments(place, number) ?? []),
  );
  const how = { scrub: createScrub(known), isKilled };
  const whole = {
    name,
    steps: steps.map(stepOf),
    service: byResource(emulator.journal.entries, how),
    github: byResource(github?.journal ?? [], how),
    comments: comments.map(({ body = '' }) => body),
    deployments: deployments.map(
      ({ environment, payload, statuses }) =>
        `${environment} ${JSON.stringify(payload)} ${statuses
          .map(({ state, description, environment_url: url }) => `${state} ${description} ${url}`)
          .join(' | ')}`,
    ),
  };
  return scrubAll(whole, how.scrub) as RecordedPlay;
}

/** The numbers of issues and pull requests whose comments were asked for. */
function numbersIn(path: string): number[] {
  const [, number] = /\/issues\/(\d+)\/comments/.exec(path) ?? [];
  return number === undefined ? [] : [Number(number)];
}
