import { spawnSync } from 'node:child_process';
import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../dist/run-step.ts';

/** What needs a tool, on a machine that has it nowhere, and of what could install it only these scripts. */
function without(
  tool: string,
  env: Record<string, string> = {},
  installers: Record<string, string> = {},
) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'tools-'));
  for (const [name, script] of Object.entries(installers)) {
    writeFileSync(join(folder.path, name), script, { mode: 0o755 });
  }
  const script = `
    const { install, orSkip } = await import('./scripts/tools.ts');
    orSkip('It', () => { install(${JSON.stringify(tool)}, ${JSON.stringify(folder.path)}); return 0; });
  `;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: root,
    env: { PATH: folder.path, ...env },
    encoding: 'utf8',
  });
}

test.each([
  ['act', 'go'],
  ['actionlint', 'go'],
  ['zizmor', 'python'],
  ['shellcheck', 'python'],
])('without what installs it, %s is skipped, and it is said why', (tool, installer) => {
  const { status, stdout } = without(tool);
  expect(stdout).toMatch(new RegExp(`^It: skipped, because ${installer}3? is not installed`));
  expect(status).toBe(0);
});

test.skipIf(process.platform === 'win32').each([
  ['act', 'go', 'exit 0', 'go did not install act'],
  ['zizmor', 'python3', 'exit 0', 'python3 did not install zizmor'],
  ['zizmor', 'python3', 'echo No module named pip >&2; exit 1', 'No module named pip'],
])(
  '%s is skipped if %s is there and does not install it: %s (a shell script)',
  (tool, installer, script, words) => {
    const installers = { [installer]: `#!/bin/sh\n${script}\n` };
    const { status, stdout } = without(tool, {}, installers);
    expect(stdout).toMatch(/^It: skipped, because/);
    expect(stdout).toContain(words);
    expect(status).toBe(0);
  },
);

test('.ci/run knows by the status that it was skipped', () => {
  expect(without('act', { SKIPPED_STATUS: '77' }).status).toBe(77);
});

test('what fails for another reason is no skip', () => {
  const { status, stdout } = without('nothing', { SKIPPED_STATUS: '77' });
  expect(stdout).toBe('');
  expect(status).toBe(1);
});
