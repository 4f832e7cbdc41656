import { spawnSync } from 'node:child_process';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../dist/run-step.ts';

/** What needs a tool, on a machine that has it nowhere and nothing to install it with. */
function without(tool: string, env: Record<string, string> = {}) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'tools-'));
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

test('.ci/run knows by the status that it was skipped', () => {
  expect(without('act', { SKIPPED_STATUS: '77' }).status).toBe(77);
});

test('what fails for another reason is no skip', () => {
  const { status, stdout } = without('nothing', { SKIPPED_STATUS: '77' });
  expect(stdout).toBe('');
  expect(status).toBe(1);
});
