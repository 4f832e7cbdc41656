import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The licences of everything that is bundled: each package of the lock file that is not only for development. */
export function bundledLicenses(): string {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const folders = Object.keys(packages).filter(
    (path) => path !== '' && packages[path].dev !== true,
  );
  const notices = folders.sort().map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim();
    return `${name} ${version}\n${license}\n\n${text.replaceAll('\r\n', '\n')}`.trim();
  });
  return `${notices.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
