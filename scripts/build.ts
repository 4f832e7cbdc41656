// Builds dist/: one bundle with lazy chunks, and a short entry for each action and for the post step. With --if-changed
// only if the sources, the scripts that build, the dependencies or dist/ have changed since the last build here.
import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { actions } from '../src/inputs.ts';
import { reportedState } from '../src/step/end-step.ts';
import { bundle } from './bundle.ts';
import { digestSources, isBuilt, recordBuild } from './last-build.ts';
import { bundledLicenses } from './licenses.ts';
import { entry } from './oldest-node.ts';
import { standIns } from './stand-ins/stand-ins.ts';

const require = createRequire(import.meta.url);

/** The script behind a package's command, so that no shell and no .cmd file is needed. */
function binary(pkg: string, name: string): string {
  const manifest = require.resolve(`${pkg}/package.json`);
  const { bin } = require(manifest);
  return join(manifest, '..', typeof bin === 'string' ? bin : bin[name]);
}

const run = (script: string, ...args: string[]) =>
  execFileSync(process.execPath, [script, ...args], { stdio: ['ignore', 'inherit', 'inherit'] });

if (process.argv.includes('--if-changed') && isBuilt('.')) {
  // What was compiled for the last tests is of no use to the next: they unpack the actions elsewhere.
  rmSync('build/compiled', { recursive: true, force: true });
  process.exit();
}

const sources = digestSources('.');
rmSync('build', { recursive: true, force: true });
run(binary('typescript', 'tsc'), '-p', 'tsconfig.build.json');
rmSync('dist', { recursive: true, force: true });
mkdirSync('dist');
for (const [name, text] of await bundle('build/main.js', standIns))
  writeFileSync(join('dist', name), text);
for (const name of globSync('*.cjs', { cwd: 'scripts/stand-ins' }))
  copyFileSync(`scripts/stand-ins/${name}`, `dist/${name}`);
writeFileSync('dist/llhttp_simd.wasm', require('undici/lib/llhttp/llhttp_simd-wasm.js'));
writeFileSync(
  'dist/llhttp.wasm.br',
  brotliCompressSync(require('undici/lib/llhttp/llhttp-wasm.js')),
);

for (const name of Object.keys(actions)) {
  writeFileSync(`dist/${name}.js`, entry(`require('./index.js').main('${name}');`));
}
// A step that reported has nothing to add: the bundle, which takes ten times as long to load as Node, stays unread.
writeFileSync(
  'dist/post.js',
  entry(`if (process.env.STATE_${reportedState} !== 'true') require('./index.js').post();`),
);
writeFileSync('dist/package.json', '{ "type": "commonjs" }\n');
writeFileSync('dist/licenses.txt', bundledLicenses());
recordBuild('.', sources);
