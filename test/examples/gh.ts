import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { vi } from 'vitest';

/** How a call of `gh` ends; by default with status 0 and without a word. */
export type GhEnd = { stdout?: string; stderr?: string; status?: number };

/** A call of `gh`, with the variables that it reads. */
export type GhCall = { args: string[]; env: Record<string, string> };

/** In the place of GitHub's command line: its arguments and variables go to the test, which answers. */
const script = (url: string) => `
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('GH_')));
const body = JSON.stringify({ args: process.argv.slice(2), env });
const { stdout = '', stderr = '', status = 0 } = await (await fetch('${url}', { method: 'POST', body })).json();
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = status;
`;

/**
 * Puts a `gh` on the path. Disposing of it takes it from there.
 * @param folder an empty folder for it
 * @param answer gives how a call ends
 */
export async function startGh(folder: string, answer: (call: GhCall) => GhEnd | Promise<GhEnd>) {
  const calls: GhCall[] = [];
  const server = createServer(async (request, response) => {
    const call: GhCall = JSON.parse(await text(request));
    calls.push(call);
    const end = await Promise.try(answer, call).catch((error: unknown) => ({
      stderr: String(error),
      status: 1,
    }));
    response.end(JSON.stringify(end));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const file = join(folder, 'gh.mjs');
  await writeFile(file, script(`http://127.0.0.1:${port}/`));
  const shell = `#!/bin/sh\nexec '${process.execPath}' '${file}' "$@"\n`;
  await writeFile(join(folder, 'gh'), shell, { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH']}`);
  return {
    /** All calls so far. */
    calls,
    [Symbol.dispose]: () => {
      vi.unstubAllEnvs();
      server.close();
    },
  };
}
