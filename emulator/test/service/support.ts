import { once } from 'node:events';
import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
} from 'node:http';
import {
  type EmulatedDeployment,
  type EmulatedProject,
  type Emulator,
  type EmulatorOptions,
  startEmulator,
} from '../../index.ts';

/** What came back. `json` is the parsed body, or undefined if the body is not JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: unknown;
}

/** What may be sent beside method and path. A `body` that is a string or bytes goes out as it is. */
export interface Sending {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A running emulator with one project and a way to speak to it. */
export interface World extends AsyncDisposable {
  readonly emulator: Emulator;
  readonly project: EmulatedProject;
  /** The path of the project, to build others on. */
  readonly path: string;
  /** Sends a request with the key and gives the whole answer. Rejects when the connection breaks. */
  send(method: string, path: string, sending?: Sending): Promise<Answer>;
}

/** Starts an emulator with one project. */
export async function startWorld(options: EmulatorOptions = {}): Promise<World> {
  const emulator = await startEmulator(options);
  const project = await emulator.world.createProject();
  const send: World['send'] = async (method, path, sending = {}) => {
    const headers = { 'x-api-key': emulator.key, ...sending.headers };
    return await sendTo(emulator.url, method, path, { ...sending, headers });
  };
  const path = `/v1/projects/${project.id}`;
  return { emulator, project, path, send, [Symbol.asyncDispose]: () => emulator.close() };
}

/** Sends a request with exactly these headers, plus those that a JSON body needs. */
export async function sendTo(
  url: string,
  method: string,
  path: string,
  { body, headers = {} }: Sending,
): Promise<Answer> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const bytes = body === undefined ? '' : isRaw ? body : JSON.stringify(body);
  const outgoing = request(`${url}${path}`, {
    method,
    headers: {
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(bytes),
      }),
      ...headers,
    },
  });
  // Stays in place to the end, because a reset may come after the head of the answer.
  const broken = new Promise<never>((_, reject) => outgoing.on('error', reject));
  outgoing.end(bytes);
  return await Promise.race([receive(outgoing), broken]);
}

async function receive(outgoing: ClientRequest): Promise<Answer> {
  const [incoming]: IncomingMessage[] = await once(outgoing, 'response');
  if (!incoming) throw new Error('no response');
  // Faster than `buffer` of node:stream/consumers, which makes a Blob first.
  const text = Buffer.concat(await incoming.toArray()).toString();
  const { statusCode: status = 0, headers } = incoming;
  return { status, headers, text, json: parse(text) };
}

function parse(received: string): unknown {
  try {
    return JSON.parse(received);
  } catch {
    return undefined;
  }
}

/** Deploys and gives the deployment once it has ended. */
export async function deploy(world: World, body: object = {}): Promise<EmulatedDeployment> {
  const { path, project, send } = world;
  const created = await send('POST', `${path}/deployments`, { body });
  const deployment = project.deployments.at(-1);
  if (created.status !== 202 || !deployment) throw new Error(created.text);
  await deployment.ended;
  return deployment;
}
