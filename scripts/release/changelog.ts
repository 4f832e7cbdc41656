/** A section of the changelog. */
export interface Entry {
  version: string;
  /** What changed, as Markdown. */
  text: string;
}

const unreleased = 'Unreleased';

/** Parts of a version, for comparing. @throws Error if it is invalid or a prerelease */
function partsOf(version: string): readonly [major: number, minor: number, patch: number] {
  const [, major, minor, patch] = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(version) ?? [];
  if (patch === undefined) throw new Error(`${version} is not a version such as 1.2.3`);
  return [Number(major), Number(minor), Number(patch)];
}

/** The tag that moves with each release of the same major version. @throws Error if it is invalid */
export const majorTag = (version: string): string => `v${partsOf(version)[0]}`;

/** The sections of a changelog, newest first; that of unreleased changes has "Unreleased" as its version. */
export function entriesOf(changelog: string): Entry[] {
  const [, ...sections] = changelog.split(/^## /m);
  return sections.map((section) => {
    const [heading = '', ...lines] = section.split('\n');
    return { version: heading.split(' ')[0] ?? '', text: lines.join('\n').trim() };
  });
}

/** The newest release. @throws Error if there is none */
export function newestOf(changelog: string): Entry {
  const found = entriesOf(changelog).find(({ version }) => version !== unreleased);
  if (found === undefined) throw new Error('CHANGELOG.md has no release: run prepare');
  return found;
}

/**
 * Turns the unreleased section of a changelog into a release.
 *
 * @param day such as `2027-01-31`
 * @throws Error if nothing changed, or the version is not newer than the newest
 */
export function release(changelog: string, version: string, day: string): string {
  const [first, second] = entriesOf(changelog);
  if (first?.version !== unreleased || first.text === '') {
    throw new Error(`CHANGELOG.md has nothing under "${unreleased}"`);
  }
  const wanted = partsOf(version);
  const before = second === undefined ? [0, 0, 0] : partsOf(second.version);
  const index = wanted.findIndex((part, place) => part !== before[place]);
  if (index < 0 || (wanted[index] ?? 0) < (before[index] ?? 0)) {
    throw new Error(`${version} is not newer than ${before.join('.')}`);
  }
  return changelog.replace(`## ${unreleased}\n`, `## ${unreleased}\n\n## ${version} (${day})\n`);
}
