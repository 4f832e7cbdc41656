// Fails if dist/, an action.yml, the tables of docs/reference.md, the JSON Schema, docs/interface.md, the tables of
// docs/attacks.md or the codes differ from what the sources give. They are generated in place; what git then finds changed
// or new (against what is staged) was stale.
import { execFileSync } from 'node:child_process';

const node = (script: string) => execFileSync(process.execPath, [script], { stdio: 'inherit' });

node('scripts/generate.ts');
node('scripts/build.ts');

const paths = [
  'dist',
  'schema',
  'docs/attacks.md',
  'docs/interface.md',
  'docs/reference.md',
  'src/kernel/code.ts',
  'action.yml',
  '*/action.yml',
];
const status = execFileSync('git', ['status', '--porcelain', '--', ...paths], { encoding: 'utf8' });
const stale = status.split('\n').filter((line) => line !== '' && line[1] !== ' ');
if (stale.length > 0) {
  console.error('These generated files were outdated and are now updated. Commit them:');
  for (const line of stale) console.error(line);
  process.exitCode = 1;
}
