// Builds dist/: one bundle with lazy chunks, and a short entry for each action and for the post step.
import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { minifySync } from 'rolldown/utils';
import { postState } from '../src/action/post/kept.ts';
import { actions } from '../src/inputs.ts';
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

/** A script without what only people read. The licences are in a file of their own. */
function minified(name: string, code: string): string {
  const { code: short, errors } = minifySync(name, code, {
    module: false,
    codegen: { removeWhitespace: true, legalComments: 'none' },
  });
  if (errors.length > 0) throw new Error(`${name}: ${errors.map(String).join('\n')}`);
  // In ASCII alone, which Node reads and parses at twice the speed of anything else.
  return short.replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * What is required from beside the bundle instead: Node's HTTP/2 once a connection speaks it, nothing that sends for
 * GitHub's HTTP client and the whole of undici, of which only parts are used, its parser in bytes, and nothing for
 * undici's experimental parser, which is asked for by a variable alone (UNDICI_USE_MILO) and weighs as much as three
 * actions.
 */
const externals = {
  'node:assert': './assert.cjs',
  'node:http': './http.cjs',
  'node:http2': './http2.cjs',
  undici: './undici.cjs',
  '@actions/http-client': './http-client.cjs',
  '@actions/http-client/lib/auth': './http-client.cjs',
  '../llhttp/llhttp_simd-wasm.js': './llhttp_simd-wasm.cjs',
  '../llhttp/llhttp-wasm.js': './llhttp-wasm.cjs',
  '../milo/simd.js': './left-out.cjs',
  '../milo/no-simd.js': './left-out.cjs',
  '../web/fetch/body.js': './left-out.cjs',
  '../web/fetch/formdata': './left-out.cjs',
  '../web/webidl': './left-out.cjs',
};

/** A text between quotes. */
const quoted = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/.source;

/** Takes what is said of inputs and outputs out of their tables, which only people read. */
function leaveOutProse(folder: string): void {
  for (const name of globSync(['inputs/*.js', '*/inputs.js'], { cwd: folder })) {
    const file = join(folder, name);
    const [inputs = '', outputs] = readFileSync(file, 'utf8').split(/^(?= {4}outputs: \{$)/m);
    const short = inputs.replace(new RegExp(`(description:)\\s*(?:${quoted})`, 'g'), "$1 ''");
    const shorter = outputs?.replace(new RegExp(`^( {8}\\S+:)\\s*(?:${quoted})`, 'gm'), "$1 ''");
    writeFileSync(file, short + (shorter ?? ''));
  }
}

/** Bundles a script with all that it imports: what it imports later becomes a file of its own. */
async function bundle(script: string): Promise<void> {
  const ncc = require('@vercel/ncc');
  const { code, assets } = await ncc(resolve(script), {
    quiet: true,
    externals,
    esm: false,
  });
  // The bundler minifies none but the first of its files.
  writeFileSync('dist/index.js', minified('index.js', code));
  for (const [name, { source }] of Object.entries<{ source: Buffer }>(assets)) {
    const text = String(source);
    writeFileSync(join('dist', name), name.endsWith('.js') ? minified(name, text) : text);
  }
}

rmSync('build', { recursive: true, force: true });
run(binary('typescript', 'tsc'), '-p', 'tsconfig.build.json');
rmSync('dist', { recursive: true, force: true });
mkdirSync('dist');
leaveOutProse('build');
await bundle('build/main.js');
for (const name of globSync('*.cjs', { cwd: 'scripts' }))
  copyFileSync(`scripts/${name}`, `dist/${name}`);
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
  entry(`if (process.env.STATE_${postState.reported} !== 'true') require('./index.js').post();`),
);
writeFileSync('dist/package.json', '{ "type": "commonjs" }\n');
writeFileSync('dist/licenses.txt', bundledLicenses());
