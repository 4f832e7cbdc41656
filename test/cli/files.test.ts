// Attack (command): A link in the checkout makes `--outputs` or `--report` overwrite a file of the machine
// Defense: No link below a folder with `.git`, or below the current folder, is followed, wherever the command runs and
// however the path leads there; such a run ends before anything is sent. A new file is renamed into place, so hard
// links and links that appear meanwhile are replaced; on Linux the folder stays open, also for the ledger's file
// Attack (command): A run that ends early leaves an earlier run's `SITE_OUT_OUTCOME=succeeded`
// Defense: `--outputs` and `--report` are replaced first, and after a wrong command line

import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findDestination, replaceFile } from '../../src/replace-file.ts';
import { siteDeploy } from './site-deploy.ts';

/** A checkout, and a folder beside it with a file that is none of its business. */
function openCheckout() {
  const temporary = mkdtempDisposableSync(join(tmpdir(), 'files-'));
  const checkout = join(temporary.path, 'checkout');
  const outside = join(temporary.path, 'outside');
  mkdirSync(join(checkout, '.git'), { recursive: true });
  mkdirSync(join(checkout, 'sub'));
  mkdirSync(outside);
  writeFileSync(join(outside, 'kept'), 'old');
  return { checkout, outside, [Symbol.dispose]: () => temporary[Symbol.dispose]() };
}

/** A run that sends nothing, of a commit that is given. */
const explain = ['deploy', '--mode', 'explain', '--pull-request', 'none'];
const ofCommit = [...explain, '--commit-sha', 'a'.repeat(40)];
const env = {
  SITE_BASE_URL: 'http://127.0.0.1:9',
  SITE_PROJECT_ID: '3f2b8a1c-6d1e-4c55-9a37-0b1f5f7f2a10',
};

const flags = ['outputs', 'report'];

describe.each(flags)('--%s', (flag) => {
  it.each<[string, link: string, target: string, path: string]>([
    ['a link', 'out', 'kept', 'out'],
    ['a link that leads nowhere', 'out', 'new', 'out'],
    ['a link of a folder', 'link', '.', 'link/kept'],
    ['a link in the middle of the path', 'sub/link', '.', 'sub/link/kept'],
    ['a link to a device', 'out', '/dev/null', 'out'],
    ['a link behind a path back', 'link', '.', 'sub/../link/kept'],
    ['a link behind a way out and back in', 'link', '.', '../checkout/link/kept'],
  ])('does not follow %s of the checkout', async (_, link, target, path) => {
    using place = openCheckout();
    symlinkSync(
      join(place.outside, target).replace(/.*(?=\/dev\/)/, ''),
      join(place.checkout, link),
    );
    const ran = await siteDeploy([...ofCommit, `--${flag}`, path], { env, folder: place.checkout });
    expect(ran).toMatchObject({ status: 2, stdout: '' });
    expect(ran.stderr).toContain(`--${flag}: `);
    expect(ran.stderr).toMatch(/(link|out) is a link in a checkout/);
    expect(readdirSync(place.outside)).toEqual(['kept']);
    expect(readFileSync(join(place.outside, 'kept'), 'utf8')).toBe('old');
  });

  it('does not follow one from a folder of the checkout, nor where a link leads to the checkout', async () => {
    using place = openCheckout();
    const { checkout, outside } = place;
    symlinkSync(outside, join(checkout, 'link'));
    symlinkSync(checkout, join(outside, 'alias'));
    symlinkSync(join(checkout, 'sub'), join(outside, 'deep'));
    for (const [folder, path] of [
      [join(checkout, 'sub'), '../link/kept'],
      [join(outside, 'alias'), 'link/kept'],
      [join(outside, 'alias/sub'), '../link/kept'],
      [checkout, join(outside, 'alias/link/kept')],
      [checkout, join(outside, 'deep/../alias/link/kept')],
    ] as const) {
      const ran = await siteDeploy([...ofCommit, `--${flag}`, path], { env, folder });
      expect(ran.status, `${folder} ${path}`).toBe(2);
    }
    expect(readFileSync(join(outside, 'kept'), 'utf8')).toBe('old');
  });

  it('does not follow one of a checkout in which the command does not run', async () => {
    using place = openCheckout();
    const { checkout, outside } = place;
    mkdirSync(join(checkout, 'sub/module/.git'), { recursive: true });
    for (const link of ['link', 'sub/link', 'sub/module/link']) {
      symlinkSync(outside, join(checkout, link));
      const path = join(checkout, link, 'kept');
      const ran = await siteDeploy([...ofCommit, `--${flag}`, path], { env, folder: outside });
      expect(ran, link).toMatchObject({ status: 2 });
      expect(ran.stderr).toContain('link is a link in a checkout');
    }
    // In a folder that no checkout is in, and that is the current one: its files may have come without `.git`.
    rmSync(join(checkout, '.git'), { recursive: true });
    const args = [...ofCommit, `--${flag}`, 'link/kept'];
    expect(await siteDeploy(args, { env, folder: checkout })).toMatchObject({ status: 2 });
    expect(readFileSync(join(outside, 'kept'), 'utf8')).toBe('old');
  });

  it('replaces a file that has another name outside', async () => {
    using place = openCheckout();
    linkSync(join(place.outside, 'kept'), join(place.checkout, 'out'));
    const ran = await siteDeploy([...ofCommit, `--${flag}`, 'out'], {
      env,
      folder: place.checkout,
    });
    expect(ran).toMatchObject({ status: 0 });
    expect(readFileSync(join(place.outside, 'kept'), 'utf8')).toBe('old');
    expect(readFileSync(join(place.checkout, 'out'), 'utf8')).not.toBe('old');
    expect(readdirSync(place.checkout).sort()).toEqual(['.git', 'out', 'sub']);
  });

  it('is written where the caller says, through links that are not of the checkout', async () => {
    using place = openCheckout();
    const { checkout, outside } = place;
    symlinkSync('kept', join(outside, 'link'));
    symlinkSync(checkout, join(outside, 'alias'));
    for (const [path, written] of [
      [join(outside, 'link'), join(outside, 'kept')],
      [join(outside, 'alias/sub/new'), join(checkout, 'sub/new')],
    ] as const) {
      const ran = await siteDeploy([...ofCommit, `--${flag}`, path], { env, folder: checkout });
      expect(ran).toMatchObject({ status: 0 });
      expect(readFileSync(written, 'utf8')).toMatch(/SITE_OUT_|deploy/i);
    }
    expect(lstatSync(join(outside, 'link')).isSymbolicLink()).toBe(true);
    const toDevice = await siteDeploy([...ofCommit, `--${flag}`, '/dev/null'], {
      env,
      folder: checkout,
    });
    expect(toDevice).toMatchObject({ status: 0, stderr: '' });
    expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
  });
});

it('a folder that becomes a link between the check and the write is not followed', async () => {
  using place = openCheckout();
  const { checkout, outside } = place;
  for (const swapped of ['a', 'b/c']) {
    const folder = join(checkout, swapped, 'x');
    mkdirSync(folder, { recursive: true });
    mkdirSync(join(outside, 'x'), { recursive: true });
    const found = await findDestination(join(folder, 'kept'), checkout);
    if (found.kind !== 'file') throw new Error(`found ${found.kind}`);
    renameSync(join(checkout, swapped), join(checkout, `${swapped}-old`));
    symlinkSync(outside, join(checkout, swapped));
    await expect(replaceFile(found, 'new')).rejects.toThrow('another folder');
    expect(readdirSync(join(outside, 'x'))).toEqual([]);
  }
});

it('a file that becomes a link after the check is replaced, and not followed', async () => {
  using place = openCheckout();
  const { checkout, outside } = place;
  const found = await findDestination(join(checkout, 'out'), checkout);
  if (found.kind !== 'file') throw new Error(`found ${found.kind}`);
  symlinkSync(join(outside, 'kept'), join(checkout, 'out'));
  await replaceFile(found, 'new');
  expect(readFileSync(join(checkout, 'out'), 'utf8')).toBe('new');
  expect(lstatSync(join(checkout, 'out')).isSymbolicLink()).toBe(false);
  expect(readFileSync(join(outside, 'kept'), 'utf8')).toBe('old');
});

describe('what an earlier run left', () => {
  const old = 'SITE_OUT_OUTCOME=succeeded\n';

  it.each<[string, string[]]>([
    ['a flag that does not exist', [...ofCommit, '--no-such', 'flag', '--outputs', 'out']],
    ['a command that does not exist', ['deplyo', '--outputs=out']],
    ['a flag without its value', [...ofCommit, '--outputs', 'out', '--branch']],
    ['a flag given twice', [...ofCommit, '--outputs', 'out', '--outputs', 'other']],
    ['a secret as a flag', [...ofCommit, '--api-key', 'fake', '--outputs', 'out']],
    ['a wrong number', [...ofCommit, '--pull-request', 'x', '--outputs', 'out']],
    ['a key that is not there', [...ofCommit, '--api-key-file', 'none', '--outputs', 'out']],
    ['no command to run it for', ['deploy', '--outputs', 'out']],
  ])('is gone after %s', async (_, args) => {
    using place = openCheckout();
    writeFileSync(join(place.checkout, 'out'), old);
    writeFileSync(join(place.checkout, 'report'), 'is live');
    const ran = await siteDeploy([...args, '--report', 'report'], { env, folder: place.checkout });
    expect(ran).toMatchObject({ status: 2 });
    expect(readFileSync(join(place.checkout, 'out'), 'utf8')).toBe('SITE_OUT_OUTCOME=failed\n');
    expect(readFileSync(join(place.checkout, 'report'), 'utf8')).not.toContain('live');
  });

  it('stays where only help was asked for, and a flag is no name of a file', async () => {
    using place = openCheckout();
    writeFileSync(join(place.checkout, 'out'), old);
    const { checkout: folder } = place;
    await siteDeploy(['deploy', '--help', '--outputs', 'out'], { folder });
    expect(readFileSync(join(folder, 'out'), 'utf8')).toBe(old);
    expect(await siteDeploy(['deploy', '--outputs', '--json'], { folder })).toMatchObject({
      status: 2,
    });
    expect(existsSync(join(folder, '--json'))).toBe(false);
  });
});
