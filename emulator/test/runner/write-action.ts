import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Parts = {
  main?: string;
  pre?: string;
  post?: string;
  'post-if'?: string;
  inputs?: Record<string, { default?: unknown; required?: boolean; deprecationMessage?: string }>;
};

/** Writes a JavaScript action of these scripts to a temporary folder, which goes on disposal. */
export async function writeAction(parts: Parts): Promise<AsyncDisposable & { path: string }> {
  const { inputs = {}, 'post-if': postIf, ...scripts } = parts;
  const folder = await mkdtempDisposable(join(tmpdir(), 'action-'));
  const runs: Record<string, string> = { using: 'node24', main: 'main.mjs' };
  if (postIf !== undefined) runs['post-if'] = postIf;
  for (const [stage, script] of Object.entries(scripts)) {
    runs[stage] = `${stage}.mjs`;
    await writeFile(join(folder.path, `${stage}.mjs`), script);
  }
  const manifest = { name: 'Test', description: 'A test action', inputs, runs };
  await writeFile(join(folder.path, 'action.yml'), JSON.stringify(manifest));
  return folder;
}

/** A script that appends a text to the file of a file command, such as `GITHUB_OUTPUT`. */
export const append = (variable: string, text: string) =>
  `import { appendFileSync } from 'node:fs';
appendFileSync(process.env.${variable}, ${JSON.stringify(text)});`;

/** A script that writes these lines to stdout. */
export const print = (...lines: string[]) =>
  `process.stdout.write(${JSON.stringify(lines.map((line) => `${line}\n`).join(''))});`;

/** A workflow expression. */
export const expression = (body: string) => `\${{ ${body} }}`;
