import { join } from 'node:path';
import { type GitHubStandIn, startGitHub } from '../../emulator/github/index.ts';
import {
  type DialectOptions,
  type EmulatedProject,
  type Emulator,
  startEmulator,
} from '../../emulator/index.ts';
import {
  type ActionResult,
  type RunEvent,
  type RunningAction,
  type RunOptions,
  startAction,
} from '../../emulator/runner.ts';
import { adjust, examplePayload } from '../support/payloads.ts';
import { shareProcess, startWatched } from '../support/shared-process.ts';
import { unpacked } from './run-step.ts';

export const repository = 'octo-org/octo-site';
export const number = 7;

/** A comment on an issue, by somebody with this association. */
export function issueComment(association: string, id = 4711): RunEvent {
  const payload = adjust(examplePayload('issue_comment', 'created'), {
    'issue.number': number,
    'comment.id': id,
    'comment.author_association': association,
  });
  return { name: 'issue_comment', payload };
}

/** An issue on GitHub, and a service with a project. */
export interface MessageWorld extends AsyncDisposable {
  emulator: Emulator;
  github: GitHubStandIn;
  project: EmulatedProject;
  /** Starts the action for a comment of a member. */
  start(options?: Partial<RunOptions>): RunningAction;
  /** Runs it to its end. */
  run(options?: Partial<RunOptions>): Promise<ActionResult>;
  /** The bodies of all comments. */
  replies(): string[];
}

/** Starts a world with one open issue. */
export async function startMessage(dialect: DialectOptions = {}): Promise<MessageWorld> {
  const emulator = await startEmulator({ dialect });
  const github = await startGitHub();
  github.issues.add(`${repository}#${number}`);
  const [project] = emulator.world.createProjects(1);
  if (project === undefined) throw new Error('no project was made');
  const start: MessageWorld['start'] = (options = {}) =>
    startAction({
      action: join(unpacked, 'message'),
      event: issueComment('MEMBER'),
      launch: startWatched,
      ...options,
      github: {
        repository,
        apiUrl: github.url,
        token: 'fake-github-token',
        ...options.github,
      },
      inputs: {
        'api-key': emulator.key,
        'base-url': emulator.url,
        'project-id': project.id,
        content: 'Make it blue.',
        ...options.inputs,
      },
    });
  return {
    emulator,
    github,
    project,
    start,
    run: async (options) => await start({ launch: shareProcess, ...options }).done,
    replies: () => github.comments(repository, number).map(({ body = '' }) => body),
    [Symbol.asyncDispose]: async () => {
      await emulator.close();
      await github[Symbol.asyncDispose]();
    },
  };
}
