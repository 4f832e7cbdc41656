// Prepares a release, and writes what is published of it: docs/releasing.md says when.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { majorTag, newestOf, release } from './release/changelog.ts';
import { fillOwner, pack } from './release/pack.ts';

const usage = `npm run release -- prepare <version>        writes the version into its files and the changelog
npm run release -- version                  prints the version to release and its moving tag
npm run release -- owner <account>          replaces OWNER in the pages
npm run release -- pack <commit> <figures>  writes the release files to build/release/
`;

const changelog = 'CHANGELOG.md';
/** The files that name the exact version of the command to install. */
const installing = [
  'README.md',
  'docs/other-ci.md',
  'npm/README.md',
  'examples/buildkite/pipeline.yml',
  'examples/gitlab/.gitlab-ci.yml',
  'examples/jenkins/Jenkinsfile',
];
const versionFile = 'src/step/version.ts';

function edit(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

/** Which moving tag the pages tell people to use, as the README names it. */
const shownTag = () => /site-deploy-action@(v\d+)/.exec(readFileSync('README.md', 'utf8'))?.[1];

function prepare(version: string): void {
  const tag = majorTag(version);
  if (tag !== shownTag()) {
    throw new Error(
      `The pages use @${shownTag()}, but ${version} is @${tag}: change the pages first`,
    );
  }
  const day = new Date().toISOString().slice(0, 10);
  edit(changelog, (text) => release(text, version, day));
  edit(versionFile, (text) => text.replace(/'[^']+'/, `'${version}'`));
  for (const file of installing) {
    edit(file, (text) => text.replace(/site-deploy@[\d.]+/g, `site-deploy@${version}`));
  }
  const quiet = ['--no-git-tag-version', '--allow-same-version'];
  for (const cwd of ['.', 'npm']) {
    const shell = process.platform === 'win32';
    execFileSync('npm', ['version', version, ...quiet], { cwd, shell });
  }
  console.log('Next: npm run build, review the changelog, and commit.');
}

/** @throws Error if a version is written somewhere that is not the changelog's newest */
function checkWritten(version: string): void {
  const manifests = ['package.json', 'package-lock.json', 'npm/package.json'].map((file) => ({
    file,
    written: JSON.parse(readFileSync(file, 'utf8')).version,
  }));
  const written = /'([^']+)'/.exec(readFileSync(versionFile, 'utf8'))?.[1];
  for (const one of [...manifests, { file: versionFile, written }]) {
    if (one.written === version) continue;
    throw new Error(`${one.file} has ${one.written}, but ${changelog} has ${version}: run prepare`);
  }
}

function printVersion(): void {
  const { version } = newestOf(readFileSync(changelog, 'utf8'));
  checkWritten(version);
  console.log(`version=${version}\nmajor=${majorTag(version)}`);
}

function run([command = '', first = '', second = '']: readonly string[]): void {
  if (command === 'prepare') prepare(first);
  else if (command === 'version') printVersion();
  else if (command === 'owner') console.log(fillOwner('.', first).join('\n'));
  else if (command === 'pack') pack('.', first, readFileSync(second, 'utf8'), 'build/release');
  else throw new Error(usage);
}

try {
  run(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
