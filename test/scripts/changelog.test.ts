import { describe, expect, test } from 'vitest';
import { entriesOf, majorTag, newestOf, release } from '../../scripts/release/changelog.ts';

const before = `# Changelog

Words.

## Unreleased

- New.

## 1.2.0 (2027-01-01)

- Old.
`;

describe('a release of what the changelog holds', () => {
  test('takes what is not released yet, and leaves room for what comes', () => {
    const after = release(before, '1.10.0', '2027-01-31');
    expect(entriesOf(after)).toEqual([
      { version: 'Unreleased', text: '' },
      { version: '1.10.0', text: '- New.' },
      { version: '1.2.0', text: '- Old.' },
    ]);
    expect(after).toContain('## 1.10.0 (2027-01-31)');
    expect(newestOf(after)).toEqual({ version: '1.10.0', text: '- New.' });
    expect(() => release(after, '1.10.1', '2027-02-01')).toThrow('nothing under "Unreleased"');
  });

  test.each(['1.2.0', '1.1.9', '0.9.0'])('is refused as %s, which is not newer', (version) => {
    expect(() => release(before, version, '2027-01-31')).toThrow('is not newer than 1.2.0');
  });

  test.each(['v1.3.0', '1.3', '1.3.0-beta.1', '01.3.0', ''])('is refused as "%s"', (version) => {
    expect(() => release(before, version, '2027-01-31')).toThrow('is not a version');
  });

  test('has a tag that moves with its major version', () => {
    expect(majorTag('2.3.4')).toBe('v2');
  });

  test('is not there before one was prepared', () => {
    expect(() => newestOf('# Changelog\n\n## Unreleased\n')).toThrow('no release');
  });
});
