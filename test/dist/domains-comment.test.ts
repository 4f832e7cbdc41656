import { describe, expect, it } from 'vitest';
import { type GitHubStandIn, startGitHub } from '../../emulator/github/index.ts';
import type { DialectOptions } from '../../emulator/index.ts';
import type { ActionResult, RunOptions } from '../../emulator/runner.ts';
import { type DomainsWorld, startDomains, writesTo } from '../support/domains.ts';
import { adjust, examplePayload } from '../support/payloads.ts';
import { decode } from '../support/report/decode.ts';

const repository = 'octo-org/octo-site';
const number = 7;

const siteOf = (...names: string[]) => ({
  'registered-domains': {
    'example.com': { dns: names.map((name) => ({ type: 'A', name, content: '203.0.113.10' })) },
  },
});

/** A pull request that changes the site file of a service with one registered domain. */
interface ReviewWorld extends AsyncDisposable {
  world: DomainsWorld;
  github: GitHubStandIn;
  /** Runs the action for the pull request; each run has a number of its own. */
  review(site: object, options?: Partial<RunOptions> & { from?: string }): Promise<ActionResult>;
  comments(): string[];
}

async function startReview(dialect: DialectOptions = {}): Promise<ReviewWorld> {
  const world = await startDomains(dialect);
  const github = await startGitHub();
  const side = { ref: 'topic', sha: '0'.repeat(40), repo: { full_name: repository, fork: false } };
  const sides = { head: side, base: { ...side, ref: 'main' } };
  github.pullRequests.set(`${repository}#${number}`, { number, state: 'open', ...sides });
  world.emulator.world.registerDomain('example.com');
  let runs = 100;
  const review: ReviewWorld['review'] = async (site, { from = repository, ...options } = {}) => {
    runs += 1;
    const payload = adjust(examplePayload('pull_request', 'synchronize'), {
      number,
      'pull_request.number': number,
      'pull_request.head.repo.full_name': from,
      'pull_request.base.repo.full_name': repository,
    });
    return await world.run(site, {
      event: { name: 'pull_request', payload },
      github: { repository, runId: String(runs), apiUrl: github.url, token: github.token },
      ...options,
      inputs: { mode: 'plan', ...options.inputs },
    });
  };
  return {
    world,
    github,
    review,
    comments: () => github.comments(repository, number).map(({ body = '' }) => decode(body)),
    [Symbol.asyncDispose]: async () => {
      await world[Symbol.asyncDispose]();
      await github[Symbol.asyncDispose]();
    },
  };
}

describe.concurrent('the plan of a pull request', () => {
  it('is one comment, which is edited in place', async () => {
    await using one = await startReview();
    const first = await one.review(siteOf('www'));
    expect(first).toMatchObject({ conclusion: 'success', annotations: [] });
    const [comment, ...others] = one.github.comments(repository, number);
    expect(one.comments()[0]).toContain('📋 Domains: 1 to add');
    expect(comment?.body).toContain(first.outputs['plan-digest']);
    expect(others).toEqual([]);
    await one.review(siteOf('www', 'shop'));
    expect(one.github.comments(repository, number)).toMatchObject([{ id: comment?.id }]);
    expect(one.comments()[0]).toContain('📋 Domains: 2 to add');
    expect(writesTo(one.world.emulator)).toEqual([]);
    expect(one.github.violations).toEqual([]);
  });

  it('is no comment where it is empty, and an earlier one then says so', async () => {
    await using one = await startReview();
    await one.review(siteOf());
    expect(one.comments()).toEqual([]);
    await one.review(siteOf('www'));
    await one.review(siteOf());
    expect(one.comments()).toEqual([expect.stringContaining('📋 Domains: nothing to change')]);
  });

  it('is a comment where it only sets what cannot be read, and says how much', async () => {
    await using one = await startReview();
    const settings = { renewal: false, project: null };
    const { outputs } = await one.review({ 'registered-domains': { 'example.com': settings } });
    expect(outputs).toMatchObject({ outcome: 'planned', drift: 'false' });
    expect(one.comments()).toEqual([
      expect.stringContaining('📋 Domains: nothing to change, 2 to set each time'),
    ]);
    await one.review({
      'registered-domains': {
        'example.com': { ...settings, ...siteOf('www')['registered-domains']['example.com'] },
      },
    });
    expect(one.comments()).toEqual([
      expect.stringContaining('📋 Domains: 1 to add, 2 to set each time'),
    ]);
  });

  it('is another comment for another project', async () => {
    await using one = await startReview();
    await one.review(siteOf('www'));
    await one.review(siteOf('www'), { inputs: { 'project-id': crypto.randomUUID() } });
    expect(one.comments()).toHaveLength(2);
  });

  it.each([
    ['comment: false', { inputs: { comment: 'false' } }],
    ['a fork', { from: 'stranger/octo-site', inputs: { 'api-key': '' } }],
  ])('is no comment with %s', async (_, options) => {
    await using one = await startReview();
    const { conclusion, outputs } = await one.review(siteOf('www'), options);
    expect(conclusion).toBe('success');
    expect(outputs['outcome']).toBe('from' in options ? 'skipped' : 'planned');
    expect(one.github.journal).toEqual([]);
    if ('from' in options) expect(one.world.emulator.journal.entries).toEqual([]);
  });

  it('that cannot be applied is commented with the reason', async () => {
    await using one = await startReview();
    const dns = [{ type: 'NS', name: '@', content: 'ns1.other.example' }];
    const { conclusion } = await one.review({ 'registered-domains': { 'example.com': { dns } } });
    expect(conclusion).toBe('failure');
    expect(one.comments()).toEqual([expect.stringContaining('the service manages the record')]);
  });

  it('of a file that is wrong by now is replaced by what is wrong with it', async () => {
    await using one = await startReview();
    await one.review(siteOf('www'));
    const { outputs } = await one.review({ 'registered-domains': { 'example.com': { dsn: [] } } });
    expect(outputs).toMatchObject({ outcome: 'failed', requests: '0' });
    const [body = '', ...others] = one.comments();
    expect(others).toEqual([]);
    expect(body).toContain('❌ Domains: failed');
    expect(body).toContain('unknown key');
    expect(body).not.toContain('to add');
  });

  it('of 500 records, each hostile, is whole and fits', async () => {
    const hostile = '</details><script> | @octocat [x](https://evil.example) '.repeat(8);
    await using one = await startReview({ hostileText: hostile });
    const names = Array.from({ length: 500 }, (_, index) => `host-${index}`);
    for (const name of names) {
      one.world.emulator.world.registered
        .get('example.com')
        .zone.put({ type: 'TXT', name, content: hostile });
    }
    await one.review(siteOf(...names));
    const [{ body = '' } = {}] = one.github.comments(repository, number);
    expect(decode(body)).toContain('📋 Domains: 500 to add');
    expect(decode(body)).toMatch(/… and \d+ more lines, in the summary of the run/);
    expect(body.length).toBeLessThan(60_000);
    expect(body).toMatch(/\[Log of the run\]\([^)]+\)<\/sub>$/);
    // In a block of code, which ends with the backticks that it began with, nothing has any effect.
    const outside = body.replace(/^(`{3,})\w+\n[\s\S]*?\n\1$/gm, '');
    expect(outside).not.toMatch(/<script|@octocat|\]\(https:\/\/evil/);
    expect(outside.match(/<details>/g)).toHaveLength(outside.match(/<\/details>/g)?.length ?? 0);
  });

  it('that cannot be commented is planned all the same, with a warning that names the permission', async () => {
    await using one = await startReview();
    one.github.trouble = { comments: 'forbidden' };
    const { conclusion, annotations } = await one.review(siteOf('www'));
    expect(conclusion).toBe('success');
    expect(annotations.map(({ message }) => message).join()).toContain('pull-requests: write');
  });
});

describe.concurrent('an apply on push', () => {
  it('comments nowhere', async () => {
    await using one = await startReview();
    const push = { name: 'push', payload: examplePayload('push') };
    const { outputs } = await one.review(siteOf('www'), { event: push, inputs: { mode: 'apply' } });
    expect(outputs['outcome']).toBe('synced');
    expect(one.github.journal).toEqual([]);
  });
});
