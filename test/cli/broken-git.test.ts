import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startEmulator } from '../../emulator/index.ts';
import { siteDeploy } from './site-deploy.ts';

test.skipIf(process.platform === 'win32').each([
  ['is too old', 'echo git version 2.25.1', /Git 2\.25\.1 is too old for --git-url\..*SD7002/],
  [
    'is only a stub, as on macOS without its developer tools',
    'exit 1',
    /Git failed on this machine\. Git: `git version` fails\. \(SD7003\)/,
  ],
])('a git that %s', async (_, script, message) => {
  await using emulator = await startEmulator();
  const project = await emulator.world.createProject();
  using temporary = mkdtempDisposableSync(join(tmpdir(), 'git-'));
  writeFileSync(join(temporary.path, 'git'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const given = ['--git-url', project.gitAddress, '--pull-request', 'none'];
  const ran = await siteDeploy(['deploy', '--commit-sha', await project.head(), ...given], {
    env: {
      PATH: temporary.path,
      SITE_API_KEY: emulator.key,
      SITE_BASE_URL: emulator.url,
      SITE_PROJECT_ID: project.id,
      SITE_GIT_TOKEN: emulator.gitToken,
    },
  });
  expect(ran).toMatchObject({ status: 1 });
  expect(ran.stdout).toMatch(message);
});
