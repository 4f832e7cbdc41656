// The process that bench/page.ts measures: the emulator as `npm run emulator` starts it, with a page that has much on it.
import process from 'node:process';
import { openPage, terminalLine } from '../emulator/page/index.ts';
import { pushChange } from '../scripts/player/change.ts';
import { repository } from '../scripts/player/play.ts';
import { openWorld } from '../scripts/player/world.ts';
import { makeVariables } from './variables.ts';

/** Where everything is, for the process that measures. */
export interface PageAddresses {
  page: string;
  service: string;
  key: string;
  gitHub: string;
  token: string;
  projectId: string;
  /** A variable, and what its `PUT` needs. */
  variable: { id: string; version: number };
  /** The path of a comment. */
  comment: string;
  commit: string;
}

const variables = Object.fromEntries(makeVariables(200).map(({ name, value }) => [name, value]));
const contents = {
  projects: { shop: { variables }, blog: { variables: {} }, docs: { variables: {} } },
  'connected-domains': { 'www.example.com': 'shop' },
  'registered-domains': {},
};

const stream = { logLines: Array.from({ length: 20 }, (_, n) => `Building page ${n}`) };
await using world = await openWorld({
  contents,
  journalLimit: 1000,
  dialect: { buildMs: 1000, deploymentEnds: 'never', stream },
});
const { emulator, github, project } = world;
const onRequest = (row: Parameters<typeof terminalLine>[0]) => console.log(terminalLine(row));
await using page = await openPage(world, { onRequest });
const { sha } = await pushChange(project, 'A change', 'main');
emulator.world.project(project.id).deploy(sha, null);
const head = { ref: 'topic', sha, repo: { full_name: repository, fork: false } };
github.pullRequests.set(`${repository}#7`, { number: 7, state: 'open', head, base: head });
const [comment] = github.addComments(repository, 7, [{ author: 'octocat', body: 'Hello' }]);
const [variable] = project.variables;
if (comment === undefined || variable === undefined) throw new Error('the world is not complete');
// What is deployed from now on ends.
emulator.dialect.deploymentEnds = 'success';

process.on('message', () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({ used: heapUsed + external });
});
const ended = new Promise((resolve) => process.once('disconnect', resolve));
process.send?.({
  page: page.url,
  service: emulator.url,
  key: emulator.key,
  gitHub: github.url,
  token: github.token,
  projectId: project.id,
  variable: { id: variable.id, version: variable.version },
  comment: new URL(comment.url).pathname,
  commit: sha,
} satisfies PageAddresses);
await ended;
