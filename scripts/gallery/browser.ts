import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { asObject } from '../../src/kernel/json.ts';

/** What the browser is called on different machines. */
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The browser of this machine: the one that `CHROME_PATH` names, else Chromium or Chrome on the path. */
export function findBrowser(environment = process.env): string | undefined {
  const { CHROME_PATH: given = '', PATH: path = '' } = environment;
  if (given !== '') return isProgram(given) ? given : undefined;
  const folders = path.split(delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

type Params = Readonly<Record<string, unknown>>;

/** Speaks the browser's own protocol (CDP) over its pipe: commands as JSON, each ended by a zero byte. */
class Connection {
  readonly #input: Writable;
  readonly #waiting = new Map<number, PromiseWithResolvers<Record<string, unknown>>>();
  readonly #loads = new Map<string, () => void>();
  #id = 0;
  #text = '';

  constructor(input: Writable, output: Readable) {
    this.#input = input;
    output.setEncoding('utf8');
    output.on('data', (chunk: string) => this.#take(chunk));
  }

  /** The browser is gone: nothing will be answered. */
  end(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  #take(chunk: string): void {
    const messages = (this.#text + chunk).split('\0');
    this.#text = messages.pop() ?? '';
    for (const message of messages) this.#tell(asObject(JSON.parse(message)) ?? {});
  }

  #tell({ id, result, error, method, sessionId }: Record<string, unknown>): void {
    if (method === 'Page.loadEventFired') this.#loads.get(String(sessionId))?.();
    const waiting = this.#waiting.get(Number(id));
    this.#waiting.delete(Number(id));
    if (error === undefined) waiting?.resolve(asObject(result) ?? {});
    else waiting?.reject(new Error(`the browser reported ${JSON.stringify(error)}`));
  }

  send(method: string, params: Params = {}, sessionId?: string): Promise<Record<string, unknown>> {
    this.#id += 1;
    const answer = Promise.withResolvers<Record<string, unknown>>();
    this.#waiting.set(this.#id, answer);
    this.#input.write(`${JSON.stringify({ id: this.#id, method, params, sessionId })}\0`);
    return answer.promise;
  }

  /** The next time that a page has loaded. */
  loaded(sessionId: string): Promise<void> {
    return new Promise((resolve) => this.#loads.set(sessionId, resolve));
  }
}

/** How a page is looked at. */
export interface View {
  theme: 'light' | 'dark';
  /** Of the window, in CSS pixels. */
  width: number;
  /** A CSS selector of the part that is taken; nothing is, if the page has none. */
  part: string;
  /** Pixels of the picture for each CSS pixel. */
  scale: number;
  /** How high the picture is at most, in CSS pixels. */
  highest?: number;
}

/** No picture is higher, in CSS pixels: what is longer is cut. */
const highestPicture = 4000;

/** A browser without a window. Disposing of it ends it. */
export interface Browser extends AsyncDisposable {
  /** Opens a page of this machine, and gives what takes pictures of it. */
  open(url: string): Promise<(view: View) => Promise<Buffer | undefined>>;
}

/** Opens the browser. It loads only files that it is told to. */
export async function openBrowser(program: string): Promise<Browser> {
  const profile = await mkdtempDisposable(join(tmpdir(), 'site-gallery-browser-'));
  // Chromium's own walls need rights that root in a container lacks; only our own pages are opened.
  const isRoot = process.getuid?.() === 0;
  const flags = ['--headless', '--remote-debugging-pipe', '--hide-scrollbars', '--disable-gpu'];
  const child = spawn(
    program,
    [
      ...flags,
      '--no-first-run',
      `--user-data-dir=${profile.path}`,
      ...(isRoot ? ['--no-sandbox'] : []),
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  );
  const ended = once(child, 'close');
  const [, , , input, output] = child.stdio;
  const connection = new Connection(input as Writable, output as Readable);
  input?.on('error', () => undefined);
  const onEnd = () => connection.end(new Error('the browser exited unexpectedly'));
  ended.then(onEnd, onEnd);
  const { targetId } = await connection.send('Target.createTarget', { url: 'about:blank' });
  const attached = await connection.send('Target.attachToTarget', { targetId, flatten: true });
  const session = String(attached['sessionId']);
  const send = (method: string, params?: Params) => connection.send(method, params, session);
  await send('Page.enable');
  return {
    open: async (url) => {
      const loaded = connection.loaded(session);
      await send('Page.navigate', { url });
      await loaded;
      return (view) => take(send, view);
    },
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await ended;
      await profile.remove();
    },
  };
}

async function take(
  send: (method: string, params?: Params) => Promise<Record<string, unknown>>,
  { theme, width, part, scale, highest = highestPicture }: View,
): Promise<Buffer | undefined> {
  const features = [{ name: 'prefers-color-scheme', value: theme }];
  await send('Emulation.setEmulatedMedia', { features });
  const metrics = { width, height: 800, deviceScaleFactor: scale, mobile: false };
  await send('Emulation.setDeviceMetricsOverride', metrics);
  const expression = `JSON.stringify(document.querySelector(${JSON.stringify(part)})?.getBoundingClientRect() ?? null)`;
  const evaluated = await send('Runtime.evaluate', { expression });
  const box = asObject(JSON.parse(String(asObject(evaluated['result'])?.['value'])));
  if (box === undefined) return undefined;
  const { x, y, width: wide, height } = box as Record<'x' | 'y' | 'width' | 'height', number>;
  const clip = { x, y, width: wide, height: Math.min(height, highest), scale: 1 };
  const taken = await send('Page.captureScreenshot', { clip, captureBeyondViewport: true });
  return Buffer.from(String(taken['data']), 'base64');
}
