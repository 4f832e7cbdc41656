import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { endpoints } from '../../../../test/interface/endpoints.ts';
import { type DialectOptions, type Emulator, startEmulator } from '../../../index.ts';
import { type Answer, sendTo } from '../support.ts';
import { resolve } from './fields.ts';
import { params, type Row } from './rows.ts';

/** The resources whose ids the table can't know. */
export type Seeded = ReturnType<typeof seed>;

/** A request for an endpoint. An absent part is the usual one; a body that is undefined is no body. */
export interface RequestOptions {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: string;
  readonly body?: unknown;
  readonly encoding?: 'utf8' | 'latin1';
  readonly contentType?: string;
  /** The API key, or null for none. */
  readonly key?: string | null;
  readonly method?: string | undefined;
  /** Changes the usual path. */
  readonly path?: (usual: string) => string;
}

/** Nothing changes between two requests. */
const still = { turnMs: 60_000, buildMs: 60_000, verifyMs: 60_000 } as const;

const address = { type: 'A', name: 'www', content: '203.0.113.9' };

/** The names of resources that {@link params} has in their encoding. */
const namesOf = (param: string) =>
  (params[param]?.accepts ?? []).map((segment) => decodeURIComponent(String(segment)));

/** Creates a resource for each path, in a state that each usual request changes. */
function seed({ world }: Emulator) {
  const [project, other] = world.createProjects(2);
  if (project === undefined || other === undefined) throw new Error('no projects were created');
  const variable = project.setVariable({ name: 'OLD', value: 'v', preview: false });
  const kept = project.setVariable({ name: 'KEPT', value: 'v' });
  const foreign = other.setVariable({ name: 'OLD', value: 'v' });
  for (const one of [project, other]) {
    one.sendMessage({ content: 'a', attachmentIds: [randomUUID()] });
  }
  for (const hostname of namesOf('hostname')) world.connectDomain(hostname, other.id);
  for (const name of namesOf('name')) {
    const { zone } = world.registerDomain(name, { projectId: other.id, autoRenew: false });
    for (const id of namesOf('recordId')) zone.put({ ...address, id });
  }
  world.registerDomain('elsewhere.com').zone.put({ ...address, id: 'elsewhere' });
  return { project, other, variable, kept, foreign };
}

/** Everything that a request can change. */
function stateOf({ world }: Emulator): unknown {
  return {
    projects: world.projects.map(({ id, activity, variables, deployments, messages }) => {
      const counts = [deployments.length, messages.length];
      return { id, activity, variables: [...variables], counts };
    }),
    connected: world.domains.all.map(({ hostname, projectId }) => ({ hostname, projectId })),
    registered: world.registered.all.map(({ name, autoRenew, boundProjectId, records }) => {
      return { name, autoRenew, boundProjectId, records };
    }),
  };
}

/** The method, the path and the emulator's name of a row's endpoint. */
export function endpointOf({ endpoint }: Row) {
  const found = endpoints.find(({ method, path }) => `${method} ${path}` === endpoint);
  if (found === undefined) throw new Error(`${endpoint} is not in test/interface/endpoints.ts`);
  return found;
}

/** Starts an emulator with the resources that usual requests need. */
export async function startSeeded() {
  const emulator = await startEmulator({ dialect: still });
  let seeded = seed(emulator);
  let current: DialectOptions = {};
  const effects = () => emulator.journal.entries.map(({ effect }) => effect);
  const pathOf = (row: Row, { params: given = {}, path = (usual) => usual }: RequestOptions) => {
    const segment = (_: string, name: string) =>
      String(resolve(name in given ? given[name] : params[name]?.accepts[0], seeded));
    return path(endpointOf(row).path.replaceAll(/\{(\w+)\}/g, segment));
  };
  const bodyOf = (row: Row, options: RequestOptions) => {
    const usual = row.body?.accepts[0];
    const body = resolve('body' in options ? options.body : usual, seeded);
    const { encoding = 'utf8' } = options;
    return encoding === 'utf8' ? body : Buffer.from(JSON.stringify(body), encoding);
  };
  return {
    emulator,
    /** Puts the resources back, in this dialect. Does nothing if nothing has changed. */
    reset: async (dialect: DialectOptions = {}): Promise<void> => {
      const isUnchanged = isDeepStrictEqual(dialect, current) && !effects().includes(true);
      emulator.journal.clear();
      if (isUnchanged) return;
      await emulator.reset();
      Object.assign(emulator.dialect, dialect);
      seeded = seed(emulator);
      current = dialect;
    },
    send: async (row: Row, options: RequestOptions = {}): Promise<Answer> => {
      const { method = endpointOf(row).method, key = emulator.key, contentType } = options;
      const path = `${pathOf(row, options)}${options.query ?? ''}`;
      const headers = {
        ...(key !== null && { 'x-api-key': key }),
        ...(contentType !== undefined && { 'content-type': contentType }),
      };
      return await sendTo(emulator.url, method, path, { body: bodyOf(row, options), headers });
    },
    state: () => stateOf(emulator),
    /** Whether each request so far changed something. */
    effects,
  };
}
