// Fails if a test that docs/guarantees.md names is not there, or did not run and pass, by the results in the files given.
import { readFileSync } from 'node:fs';
import { type TestResults, wrongIn } from './guarantees.ts';

const results = process.argv
  .slice(2)
  .map((path): TestResults => JSON.parse(readFileSync(path, 'utf8')));
const wrong = wrongIn(readFileSync('docs/guarantees.md', 'utf8'), results);
if (wrong.length > 0) {
  for (const one of wrong) console.error(one);
  process.exitCode = 1;
}
