import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The MIT licence for a package that names it and ships no text: the text that this repository has itself. */
function mitText(name: string, author: unknown): string {
  const named = typeof author === 'string' ? author : (author as { name?: string } | null)?.name;
  const holder = named ?? `the authors of ${name}`;
  return readFileSync('LICENSE', 'utf8').replace(
    /^Copyright .*$/m,
    () => `Copyright (c) ${holder}`,
  );
}

/**
 * The licences of packages, by their folders.
 *
 * @throws if the text of one cannot be had: what is shipped without its licence may not be shipped
 */
export function licensesOf(folders: readonly string[]): string {
  const notices = folders.toSorted().map((folder) => {
    const { name, version, license, author } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const own = file === undefined ? '' : readFileSync(join(folder, file), 'utf8');
    const text = (own.trim() === '' && license === 'MIT' ? mitText(name, author) : own).trim();
    if (text === '') throw new Error(`${name} ${version} (${license}) has no license text.`);
    return `${name} ${version}\n${license}\n\n${text.replaceAll('\r\n', '\n')}`;
  });
  return `${notices.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** The licences of everything that is in `dist/`: each package of the lock file that is not only for development. */
export function bundledLicenses(): string {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const folders = Object.keys(packages);
  return licensesOf(folders.filter((path) => path !== '' && packages[path].dev !== true));
}
