import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { minifySync } from 'rolldown/utils';

const require = createRequire(import.meta.url);

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
 * Bundles a script with all that it imports: what it imports later becomes a file of its own. Gives the files by their
 * names, `index.js` the first.
 *
 * @param externals what is required from elsewhere instead, by what asks for it
 */
export async function bundle(
  script: string,
  externals: Readonly<Record<string, string>>,
): Promise<Map<string, string>> {
  const ncc = require('@vercel/ncc');
  const { code, assets } = await ncc(resolve(script), {
    quiet: true,
    externals,
    esm: false,
  });
  // The bundler minifies none but the first of its files.
  const files = new Map([['index.js', minified('index.js', code)]]);
  for (const [name, { source }] of Object.entries<{ source: Buffer }>(assets)) {
    const text = String(source);
    files.set(name, name.endsWith('.js') ? minified(name, text) : text);
  }
  return files;
}
