// Attack (command): The GitLab token, the job's token or the API key is in a note, the log, the report or the outputs
// Defense: All are redacted, in GitLab's own errors, too
// Attack (command): A merge request of another project deploys to production, or writes its variables
// Defense: It counts as a fork's, and so does one whose source project is gone or not reported

import { mkdtempDisposableSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git } from '../../emulator/git/git.ts';
import { startGitLab } from '../../emulator/gitlab/index.ts';
import { startEmulator } from '../../emulator/index.ts';
import {
  buildkitePush,
  gitlabFork,
  gitlabMergedResults,
  gitlabMergeRequest,
  travisFork,
} from './ci-environments.ts';
import { siteDeploy } from './site-deploy.ts';

const place = { project: 5, iid: 12 };
const hostname = 'mr-12.preview.example.com';

/** A service, a GitLab with a merge request, and a clone of its head. */
async function startMergeRequest() {
  const stack = new AsyncDisposableStack();
  const emulator = stack.use(await startEmulator());
  const gitlab = stack.use(await startGitLab());
  const temporary = stack.use(mkdtempDisposableSync(join(tmpdir(), 'gitlab-')));
  gitlab.openMergeRequest(place);
  const project = await emulator.world.createProject();
  const head = await project.head();
  const folder = join(temporary.path, 'clone');
  await git(['clone', '--quiet', await project.gitFolder(), folder]);
  const job = (environment: Record<string, string>) => ({
    ...environment,
    CI_API_V4_URL: gitlab.apiUrl,
    CI_COMMIT_SHA: head,
    CI_JOB_TOKEN: gitlab.jobToken,
    CI_MERGE_REQUEST_PROJECT_URL: `${gitlab.url}/acme/site`,
    SITE_API_KEY: emulator.key,
    SITE_BASE_URL: emulator.url,
    SITE_GITLAB_TOKEN: gitlab.token,
    SITE_PROJECT_ID: project.id,
    SITE_PREVIEW_DOMAIN: 'mr-{number}.preview.example.com',
  });
  return {
    emulator,
    gitlab,
    project,
    head,
    folder,
    job,
    notes: () => gitlab.notes(place).map(({ body }) => body),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

describe('a merge request on GitLab', () => {
  it('gets a preview, one note, and the end of both by a stop job', async () => {
    await using world = await startMergeRequest();
    const { emulator, gitlab, project, head, folder, job } = world;
    const files = ['--outputs', 'out.env', '--report', 'report.md'];
    const env = job({
      ...gitlabMergedResults,
      CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: head,
    });
    const ran = await siteDeploy(['deploy', ...files], {
      env: { ...env, CI_COMMIT_SHA: 'b'.repeat(40) },
      folder,
    });
    expect(ran).toMatchObject({ status: 0 });
    expect(project.deployments.map(({ commit }) => commit)).toEqual([head]);
    expect(world.notes()).toEqual([expect.stringContaining('Preview of &#33;12 is live')]);
    const [note = ''] = world.notes();
    expect(note).toContain(hostname);
    expect(note).toContain('https://gitlab.example.com/acme/site/-/jobs/9001');
    expect(readFileSync(join(folder, 'out.env'), 'utf8')).toContain(
      `SITE_OUT_PREVIEW_URL=https://${hostname}\n`,
    );

    const again = await siteDeploy(['deploy'], {
      env: { ...env, CI_PIPELINE_ID: '5006' },
      folder,
    });
    expect(again).toMatchObject({ status: 0 });
    expect(world.notes()).toHaveLength(1);

    using empty = mkdtempDisposableSync(join(tmpdir(), 'no-checkout-'));
    const stop = { ...env, CI_ENVIRONMENT_ACTION: 'stop', CI_PIPELINE_ID: '5006' };
    const stopped = await siteDeploy(['deploy', '--json'], { env: stop, folder: empty.path });
    expect(stopped).toMatchObject({ status: 0 });
    expect(JSON.parse(stopped.stdout)).toMatchObject({ outcome: 'cleaned-up' });
    expect(world.notes()).toHaveLength(1);
    expect(world.notes()[0]).not.toContain(`https://${hostname}`);
    expect(emulator.world.domains.find(hostname)?.projectId ?? null).toBeNull();
    expect(gitlab.violations).toEqual([]);
    expect(gitlab.quickActions).toEqual([]);
  });

  it('gets no preview once it is merged, and one if that is not known', async () => {
    await using world = await startMergeRequest();
    const { emulator, gitlab, folder, job } = world;
    const env = job(gitlabMergeRequest);
    gitlab.openMergeRequest(place, 'merged');
    const late = await siteDeploy(['deploy', '--json'], { env, folder });
    expect(late).toMatchObject({ status: 0 });
    expect(JSON.parse(late.stdout)).toMatchObject({ 'skipped-reason': 'pull-request-closed' });
    expect(emulator.world.domains.find(hostname)?.projectId ?? null).toBeNull();
    gitlab.trouble = { 'merge-requests/get': 'forbidden' };
    const unclear = await siteDeploy(['deploy', '--json'], { env, folder });
    expect(JSON.parse(unclear.stdout)).toMatchObject({ outcome: 'succeeded' });
    expect(unclear.stderr.match(/still open \(GitLab at \S+ returned 403\)/g)).toHaveLength(1);
    expect(unclear.stderr).toContain('SD8010');
  });

  it('is closed on any CI that reports no close, without a checkout', async () => {
    await using world = await startMergeRequest();
    const { emulator, folder, head, job } = world;
    const { SITE_API_KEY = '', SITE_BASE_URL = '', ...rest } = job(gitlabMergeRequest);
    const env = {
      SITE_API_KEY,
      SITE_BASE_URL,
      SITE_PROJECT_ID: rest.SITE_PROJECT_ID,
      SITE_PREVIEW_DOMAIN: rest.SITE_PREVIEW_DOMAIN,
    };
    const args = ['deploy', '--json', '--pull-request', '12'];
    const unknown = await siteDeploy(args, { env, folder });
    expect(unknown).toMatchObject({ status: 2 });
    expect(unknown.stderr).toMatch(/commit-sha: the CI doesn't report the head.*SD1109/);
    const given = [...args, '--commit-sha', head];
    expect(await siteDeploy(given, { env, folder })).toMatchObject({ status: 0 });
    expect(emulator.world.domains.find(hostname)?.projectId).toBe(rest.SITE_PROJECT_ID);
    using empty = mkdtempDisposableSync(join(tmpdir(), 'no-checkout-'));
    // A build of main, started to close it, knows only its number.
    for (const build of [env, { ...env, ...buildkitePush }]) {
      const domain = ['--preview-domain', '{branch}-{number}.example.com'];
      const unclear = await siteDeploy([...args, '--close', ...domain], {
        env: build,
        folder: empty.path,
      });
      expect(unclear).toMatchObject({ status: 2 });
      expect(unclear.stderr).toMatch(/preview-domain: contains \{branch\}.*SD1124/);
    }
    for (const more of [[], ['--close'], ['--mode', 'explain']]) {
      const domain = ['--preview-domain', '{branch}.example.com', ...more];
      const numberless = await siteDeploy([...given, ...domain], { env, folder });
      expect(numberless).toMatchObject({ status: 2 });
      expect(numberless.stderr).toMatch(/preview-domain: must contain \{number\}.*SD1104/);
    }
    const closed = await siteDeploy([...args, '--close'], { env, folder: empty.path });
    expect(closed).toMatchObject({ status: 0 });
    expect(JSON.parse(closed.stdout)).toMatchObject({ outcome: 'cleaned-up' });
    expect(emulator.world.domains.find(hostname)?.projectId ?? null).toBeNull();
    const unnamed = await siteDeploy(['deploy', '--close', '--pull-request', 'none'], {
      env,
      folder,
    });
    expect(unnamed).toMatchObject({ status: 2 });
    expect(unnamed.stderr).toContain('--close needs --pull-request NUMBER');
  });

  it('shows no token, in a note, the log, the report and the outputs', async () => {
    await using world = await startMergeRequest();
    const { gitlab, emulator, folder, job } = world;
    gitlab.trouble = ({ operation }) =>
      operation === 'notes/update'
        ? { status: 403, body: { message: `${gitlab.token} may not` } }
        : undefined;
    const ran = await siteDeploy(['deploy', '--json', '--report', 'report.md'], {
      env: { ...job(gitlabMergeRequest), SITE_PREVIEW_DOMAIN: '' },
      folder,
    });
    expect(ran).toMatchObject({ status: 0 });
    expect(ran.stderr).toMatch(/GitLab at \S+ returned 403.*SD8010/);
    const report = readFileSync(join(folder, 'report.md'), 'utf8');
    for (const text of [ran.stdout, ran.stderr, report, ...world.notes()]) {
      for (const secret of [gitlab.token, gitlab.jobToken, emulator.key]) {
        expect(text).not.toContain(secret);
      }
    }
  });

  it("without a token, says that a job's own may not write, once, and keeps the report", async () => {
    await using world = await startMergeRequest();
    const { gitlab, folder, job } = world;
    const ran = await siteDeploy(['deploy', '--report', 'report.md'], {
      env: { ...job(gitlabMergeRequest), SITE_GITLAB_TOKEN: '' },
      folder,
    });
    expect(ran).toMatchObject({ status: 0 });
    expect(ran.stdout.match(/CI_JOB_TOKEN can only read notes/g)).toHaveLength(1);
    expect(readFileSync(join(folder, 'report.md'), 'utf8')).toContain(hostname);
    expect(gitlab.journal).toEqual([]);
    const plain = await siteDeploy(['deploy'], {
      env: { ...job(gitlabMergeRequest), SITE_GITLAB_TOKEN: '' },
      folder,
    });
    expect(plain.stdout).toContain('Preview of !12 is live');
    const quiet = await siteDeploy(['deploy', '--comment', 'false'], {
      env: { ...job(gitlabMergeRequest), SITE_GITLAB_TOKEN: '' },
      folder,
    });
    expect(quiet.stdout).not.toContain('CI_JOB_TOKEN');
    const asked = await siteDeploy(['deploy', '--comment', 'true'], {
      env: { ...job(gitlabMergeRequest), SITE_GITLAB_TOKEN: '' },
      folder,
    });
    expect(asked).toMatchObject({ status: 2 });
    expect(asked.stdout).toMatch(/comment .*SD1123/);
  });

  it('is told of a token that can be none', async () => {
    await using world = await startMergeRequest();
    const env = { ...world.job(gitlabMergeRequest), SITE_GITLAB_TOKEN: 'two\nfake-lines' };
    const ran = await siteDeploy(['deploy'], { env, folder: world.folder });
    expect(ran).toMatchObject({ status: 2, stdout: '' });
    expect(ran.stderr).toContain("SITE_GITLAB_TOKEN contains a character that a header can't have");
    expect(ran.stderr).not.toContain('fake-lines');
  });

  it('without a number is no merged code', async () => {
    await using world = await startMergeRequest();
    const { project, folder, job } = world;
    const env = job({ ...gitlabMergeRequest, CI_MERGE_REQUEST_IID: 'unknown' });
    const ran = await siteDeploy(['deploy'], { env, folder });
    expect(ran).toMatchObject({ status: 2 });
    expect(ran.stderr).toContain('without a number: set --pull-request NUMBER');
    expect(project.deployments).toEqual([]);
  });

  it('whose head is unknown is not deployed at a merge commit', async () => {
    await using world = await startMergeRequest();
    const { project, folder, job } = world;
    const env = job({ ...travisFork, TRAVIS_PULL_REQUEST_SHA: '' });
    const ran = await siteDeploy(['deploy', '--pull-request', '12'], { env, folder });
    expect(ran).toMatchObject({ status: 2 });
    expect(ran.stdout).toMatch(/commit-sha: the CI doesn't report the head.*SD1109/);
    expect(project.deployments).toEqual([]);
  });

  it('of another project changes nothing that serves the site, as a fork', async () => {
    await using world = await startMergeRequest();
    const { emulator, gitlab, project, folder, job } = world;
    const env = job(gitlabFork);
    const withoutKey = await siteDeploy(['deploy', '--json'], {
      env: { ...env, SITE_API_KEY: '' },
      folder,
    });
    expect(withoutKey).toMatchObject({ status: 0 });
    expect(JSON.parse(withoutKey.stdout)).toMatchObject({ 'skipped-reason': 'fork' });
    expect(emulator.journal.entries.filter(({ operation }) => operation !== 'git')).toEqual([]);
    emulator.world.connectDomain('www.example.com', project.id);
    for (const args of [['deploy'], ['env-sync', '--env', 'A=1']]) {
      const ran = await siteDeploy(args, { env, folder });
      expect(ran).toMatchObject({ status: 1 });
      expect(ran.stdout).toContain('www.example.com');
    }
    expect(project.deployments).toEqual([]);
    expect(project.variables).toEqual([]);
    expect(gitlab.violations).toEqual([]);
  });
});
