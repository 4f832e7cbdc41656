import { execFile, execFileSync } from 'node:child_process';
import { copyFile, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { unpacked } from './run-step.ts';

/** Half a megabyte of source would say no more than its beginning. */
const shown = z.string().transform((text) => text.slice(0, 500));
const failure = z.object({ code: z.number(), stdout: shown, stderr: shown });

const run = promisify(execFile);
const manifest = z.object({ runs: z.object({ main: z.string(), post: z.string().optional() }) });

/** The scripts that the runner starts. */
async function entries(): Promise<string[]> {
  const folders = ['.', 'domains', 'env-sync', 'message', 'projects'];
  const scripts = folders.map(async (folder) => {
    const source = await readFile(join(unpacked, folder, 'action.yml'), 'utf8');
    const { main, post } = manifest.parse(parse(source)).runs;
    return [main, ...(post === undefined ? [] : [post])];
  });
  return (await Promise.all(scripts)).flat().map((script) => basename(script));
}

/** The first Node on the PATH that is too old, and its version. */
function findOldNode(): { file: string; version: string } | undefined {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const file = join(folder, 'node');
    try {
      const version = execFileSync(file, ['-p', 'process.versions.node'], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
      if (Number.parseInt(version, 10) < 24) return { file, version };
    } catch {
      // There is none in this folder, or none that starts.
    }
  }
  return undefined;
}

/** What a script prints and how it ends. */
async function outcome(file: string, args: readonly string[]) {
  try {
    return { code: 0, ...(await run(file, args)) };
  } catch (error) {
    return failure.parse(error);
  }
}

const refusal = (version: string) => ({
  code: 1,
  stderr: '',
  stdout: expect.stringMatching(
    new RegExp(
      `^::error [^\\n]*This action needs Node 24 or newer, but this is Node ${version}\\.[^\\n]*\\n$`,
    ),
  ),
});

it('says which Node it needs where the bundle cannot be parsed', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'old-node-'));
  await copyFile(join(unpacked, 'dist/package.json'), join(folder.path, 'package.json'));
  // What any Node takes for a fault of syntax, as an old one does the bundle.
  await writeFile(join(folder.path, 'index.js'), `${'x'.repeat(1000)} using y = z;\n`);
  const probe = "Object.defineProperty(process.versions, 'node', { value: '20.20.2' });";
  const found = await entries();
  expect(found).toHaveLength(6);
  await Promise.all(
    found.map(async (entry) => {
      const script = join(folder.path, entry);
      await copyFile(join(unpacked, 'dist', entry), script);
      const probing = ['--import', `data:text/javascript,${encodeURIComponent(probe)}`];
      expect(await outcome(process.execPath, [...probing, script])).toEqual(refusal('20.20.2'));
    }),
  );
});

const old = findOldNode();

it.skipIf(old === undefined)(
  `does so on an older Node (${old?.version ?? 'skipped: there is none on the PATH'})`,
  async () => {
    const { file = '', version = '' } = old ?? {};
    const scripts = ['deploy.js', 'post.js'].map((entry) => join(unpacked, 'dist', entry));
    await Promise.all(
      scripts.map(async (script) =>
        expect(await outcome(file, [script])).toEqual(refusal(version)),
      ),
    );
  },
);
