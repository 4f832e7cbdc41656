import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { numberOf, RequestRefusal } from '../github/index.ts';
import { printable } from './html.ts';
import { type Outages, outageNames, outageSides } from './outages.ts';
import type { Watched } from './part.ts';

/** What a button does with the fields of its form. Gives what to say of it. */
export type Action = (fields: unknown) => string | Promise<string>;

/** Something that a button can't do, in words for the person who pressed it. */
export class ActionError extends Error {}

/** A button of something that is no longer there. */
export class GoneError extends ActionError {}

const outageMs = 10_000;

/** What GitHub answers, or why it refused: in its words about the field, if it has some. */
const asked = <Answer>(answer: Promise<Answer>): Promise<Answer> =>
  answer.catch((error: unknown) => {
    const [detail] = error instanceof RequestRefusal ? error.errors : [];
    const field = detail && `${detail.field} is ${detail.code}`;
    const words =
      detail?.message ?? field ?? (error instanceof Error ? error.message : String(error));
    throw new ActionError(printable(words, 300));
  });

/** A name at the beginning of a sentence. */
const atStart = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** Names, shown within a sentence. */
const quoted = (text: string): string => printable(text, 100).replace(/\s+/g, ' ');

/** What the buttons of the page do, by the last part of their forms' addresses. */
export function createActions(
  { emulator, github }: Watched,
  outages: Outages,
): ReadonlyMap<string, Action> {
  const projectIn = (fields: unknown) => {
    const { project: id } = z.object({ project: z.string() }).parse(fields);
    const found = emulator.world.projects.find((project) => project.id === id);
    if (found === undefined) throw new GoneError('This project no longer exists.');
    return found;
  };
  const nameIn = (fields: unknown) =>
    z.object({ name: z.string().min(1).max(256) }).parse(fields).name;
  const setNextBuild = (fields: unknown, fails: boolean) => {
    const project = projectIn(fields);
    project.failsNextBuild = fails;
    return `The next build of ${quoted(project.name)} ${fails ? 'fails' : 'is not told to fail'}.`;
  };
  const repositoryIn = (fields: unknown) => {
    const { repository } = z.object({ repository: z.string() }).parse(fields);
    const found = github.repositories().find((name) => String(numberOf(name)) === repository);
    if (found === undefined) throw new GoneError('This repository no longer exists.');
    return found;
  };
  const setPullRequest = async (fields: unknown, state: 'open' | 'closed') => {
    const repository = repositoryIn(fields);
    const { number } = z.object({ number: z.string() }).parse(fields);
    const key = `${repository}#${number}`;
    const found = github.pullRequests.get(key);
    if (found === undefined) throw new GoneError('This pull request no longer exists.');
    // Only where GitHub has the branch does this start workflows.
    if (github.refs.has(`${repository}@${found.head.ref}`)) {
      await asked(github.updatePullRequest(repository, found.number, { state }));
    } else found.state = state;
    return `Pull request ${quoted(key)} is ${state}.`;
  };
  const setIssue = (fields: unknown, state: 'open' | 'closed') => {
    const repository = repositoryIn(fields);
    const { number } = z.object({ number: z.string() }).parse(fields);
    const key = `${repository}#${number}`;
    const found = github.issues.get(key);
    if (found === undefined) throw new GoneError('This issue no longer exists.');
    github.changeIssue(found, { state }, 'octocat');
    return `Issue ${quoted(key)} is ${state}.`;
  };
  const openPullRequest = async (fields: unknown) => {
    const repository = repositoryIn(fields);
    const given = z.object({ head: z.string().min(1), title: z.string().max(256) }).parse(fields);
    const { head } = given;
    const title = given.title || `Merge ${head}`;
    const base = github.defaultBranch(repository);
    const { number } = await asked(github.openPullRequest(repository, { title, head, base }));
    return `Pull request ${quoted(`${repository}#${number}`)} is open.`;
  };
  const sideIn = (fields: unknown) => z.object({ side: z.enum(outageSides) }).parse(fields).side;
  return new Map<string, Action>([
    ['fail-next-build', (fields) => setNextBuild(fields, true)],
    ['let-next-build-succeed', (fields) => setNextBuild(fields, false)],
    [
      'change-variable',
      (fields) => {
        const project = projectIn(fields);
        const name = nameIn(fields);
        const { value } = z.object({ value: z.string().max(65_536) }).parse(fields);
        const invented = `fake-set-by-hand-${randomBytes(6).toString('hex')}`;
        const { version } = project.setVariable({ name, value: value || invented });
        return `${quoted(name)} of ${quoted(project.name)} was changed by hand: version ${version}.`;
      },
    ],
    [
      'delete-variable',
      (fields) => {
        const project = projectIn(fields);
        const name = nameIn(fields);
        if (!project.variables.some((variable) => variable.name === name)) {
          throw new ActionError(`${quoted(project.name)} has no variable ${quoted(name)}.`);
        }
        project.deleteVariable(name);
        return `${quoted(name)} of ${quoted(project.name)} was deleted by hand.`;
      },
    ],
    [
      'verify-domain',
      (fields) => {
        const { hostname } = z.object({ hostname: z.string() }).parse(fields);
        const domain = emulator.world.domains.find(hostname);
        if (domain === undefined) throw new GoneError('This domain is no longer connected.');
        domain.verify();
        return `${hostname} is verified.`;
      },
    ],
    ['open-pull-request', openPullRequest],
    ['close-pull-request', (fields) => setPullRequest(fields, 'closed')],
    ['reopen-pull-request', (fields) => setPullRequest(fields, 'open')],
    ['close-issue', (fields) => setIssue(fields, 'closed')],
    ['reopen-issue', (fields) => setIssue(fields, 'open')],
    [
      'begin-outage',
      (fields) => {
        const side = sideIn(fields);
        outages.begin(side, outageMs);
        return `${atStart(outageNames[side])} answers 503 for ${outageMs / 1000} seconds.`;
      },
    ],
    [
      'stop-outage',
      (fields) => {
        const side = sideIn(fields);
        outages.stop(side);
        return `${atStart(outageNames[side])} answers again.`;
      },
    ],
  ]);
}
