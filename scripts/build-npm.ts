// Builds what the package of the command line holds besides its bin: npm runs this before it packs npm/.
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import { bundleCommand } from './bundle-command.ts';
import { licensesOf } from './licenses.ts';

// npm starts it in the folder of the package.
process.chdir(resolve(import.meta.dirname, '..'));
rmSync('npm/lib', { recursive: true, force: true });
writeFileSync('npm/licenses.txt', licensesOf(await bundleCommand(resolve('npm/lib'))));
copyFileSync('LICENSE', 'npm/LICENSE');
