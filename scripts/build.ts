// Builds dist/: one bundle with lazy chunks, and a short entry for each action and for the post step.
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { actions } from '../src/inputs.ts';
import { postState } from '../src/run/post/post-state.ts';
import { bundledLicenses } from './licenses.ts';
import { entry } from './oldest-node.ts';

const require = createRequire(import.meta.url);

/** The script behind a package's command, so that no shell and no .cmd file is needed. */
function binary(pkg: string, name: string): string {
  const manifest = require.resolve(`${pkg}/package.json`);
  const { bin } = require(manifest);
  return join(manifest, '..', typeof bin === 'string' ? bin : bin[name]);
}

const run = (script: string, ...args: string[]) =>
  execFileSync(process.execPath, [script, ...args], { stdio: ['ignore', 'inherit', 'inherit'] });

rmSync('build', { recursive: true, force: true });
run(binary('typescript', 'tsc'), '-p', 'tsconfig.build.json');
rmSync('dist', { recursive: true, force: true });
run(binary('@vercel/ncc', 'ncc'), 'build', 'build/main.js', '-o', 'dist', '-m', '-q');

for (const name of Object.keys(actions)) {
  writeFileSync(`dist/${name}.js`, entry(`await (await import('./index.js')).main('${name}');`));
}
// A step that reported has nothing to add: the bundle, which takes ten times as long to load as Node, stays unread.
writeFileSync(
  'dist/post.js',
  entry(
    `if (process.env.STATE_${postState.reported} !== 'true') await (await import('./index.js')).post();`,
  ),
);
writeFileSync('dist/licenses.txt', bundledLicenses());
