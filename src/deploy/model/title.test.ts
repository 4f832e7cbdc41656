import { describe, expect, test } from 'vitest';
import {
  deployReport,
  environmentResult,
  plannedChange,
  variableResult,
} from '../../../test/support/report/builders.ts';
import type { Verification } from '../../domains/evaluate.ts';
import type { PreviewReport } from '../../domains/model/connected-domain-report.ts';
import { readWebhook } from '../../github/runner/webhook.ts';
import { type Outcome, outcomes } from '../../kernel/outcome.ts';
import { unsafeText } from '../../kernel/text/safe.ts';
import { type SubjectFacts, subjectOf } from '../recording-plan.ts';
import type { DeployReport } from './report.ts';
import { describeRun, iconOfRun } from './title.ts';
import { verdict } from './verdict.ts';

const hostname = unsafeText('pr-7.example.com');
const preview = (verification: Verification): PreviewReport => ({
  hostname,
  domain: {
    hostname,
    verification,
    state: unsafeText(''),
    statuses: unsafeText(''),
    records: [],
    errors: [],
  },
  ...(verification === 'good' && { isLive: true }),
});
const deployment = { id: unsafeText('d'), status: unsafeText('s') };
const site = unsafeText('https://www.example.com');
const ended = (stage: 'succeeded' | 'failed', lastStep?: string) => ({
  release: { stage, deployment, ...(lastStep !== undefined && { lastStep: unsafeText(lastStep) }) },
});
const requested = { release: { stage: 'requested' } } as const;
const underWay = (unknownStatus?: string) => ({
  release: {
    stage: 'under-way' as const,
    deployment,
    ...(unknownStatus !== undefined && { unknownStatus: unsafeText(unknownStatus) }),
  },
});
/** A report of the post step, of a run that was killed and not cancelled. */
const unfinished = (fields: Partial<DeployReport>) => ({ ...fields, isUnfinished: true as const });
const variables = (...outcomes: Parameters<typeof variableResult>[1][]) => ({
  environment: environmentResult({
    variables: outcomes.map((outcome, index) => variableResult(`V${index}`, outcome)),
  }),
});

const S = 'Preview of #7';

test.each<[Outcome, string, Partial<DeployReport>, string]>([
  ['succeeded', 'with a verified domain', { preview: preview('good') }, `${S} is live`],
  ['succeeded', 'with a page that held', { site }, `${S} is live`],
  ['succeeded', 'and nobody looked', {}, `${S} is deployed`],
  [
    'succeeded',
    'with a domain that waits',
    { preview: preview('pending') },
    `${S} is deployed, but its domain is not verified yet`,
  ],
  [
    'succeeded',
    'with a domain in words that no table has',
    { preview: preview('unclear') },
    `${S} is deployed, but whether its domain is verified is unclear`,
  ],
  [
    'succeeded',
    'with a page elsewhere, and a domain that waits',
    { preview: preview('pending'), site },
    `${S} is deployed, but its domain is not verified yet`,
  ],
  [
    'succeeded',
    'with a domain that failed',
    { preview: preview('bad') },
    `${S} is deployed, but its domain failed verification`,
  ],
  [
    'failed',
    'in its build',
    ended('failed', 'Building'),
    `${S} was not deployed: the build failed`,
  ],
  ['failed', 'after its build', ended('failed', 'publishing'), `${S} failed to deploy`],
  [
    'timed-out',
    'while a check saw another page',
    {
      ...ended('succeeded'),
      checks: [
        { what: site, expected: site, actual: site, passed: null, lacksCommit: true },
        { what: site, expected: site, actual: site, passed: true },
      ],
    },
    `${S} is deployed according to the service, but timed out before it was confirmed live`,
  ],
  ['failed', 'at once', ended('failed'), `${S} failed to deploy`],
  [
    'failed',
    'because its domain waits',
    { ...ended('succeeded'), preview: preview('pending') },
    `${S} is deployed, but its domain is not verified yet`,
  ],
  [
    'failed',
    'because a check failed',
    { ...ended('succeeded'), preview: preview('good') },
    `${S} is deployed, but not confirmed live`,
  ],
  ['failed', 'while it was followed', underWay(), `${S}: its deployment could not be followed`],
  [
    'failed',
    'when it was asked for',
    requested,
    `${S}: its deployment was requested, without a clear response`,
  ],
  ['failed', 'before it was asked for', {}, `${S} was not deployed`],
  [
    'failed',
    'while it was removed',
    { preview: { hostname, removal: 'unknown' } },
    `${S} may still be online: removing it failed`,
  ],
  ['timed-out', 'before it was asked for', {}, `${S}: timed out`],
  ['timed-out', 'while it was followed', requested, `${S}: timed out while it was being deployed`],
  [
    'timed-out',
    'while its page was looked at',
    ended('succeeded'),
    `${S} is deployed, but timed out before it was confirmed live`,
  ],
  [
    'timed-out',
    'at a word that no table has',
    underWay('s'),
    `${S}: timed out while the status was unknown`,
  ],
  [
    'timed-out',
    'after a word that no table has, and one that is known',
    underWay('t'),
    `${S}: timed out while it was being deployed`,
  ],
  ['cancelled', 'before it was asked for', {}, `${S}: canceled`],
  ['cancelled', 'while it was followed', requested, `${S}: canceled while it was being deployed`],
  ['cancelled', 'by no one, at first', unfinished({}), `${S}: the run did not finish`],
  [
    'cancelled',
    'by no one, while it was followed',
    unfinished(requested),
    `${S}: the run did not finish the deployment`,
  ],
  [
    'cancelled',
    'by no one, after its deployment',
    unfinished(ended('succeeded')),
    `${S} is deployed, but the run did not finish`,
  ],
  ['unconfirmed', '', requested, `${S}: nothing confirms its deployment`],
  ['accepted', '', underWay(), `${S}: deployment accepted, not followed`],
  ['planned', 'of nothing', { environment: environmentResult() }, `${S}: plan without changes`],
  [
    'planned',
    'of two things',
    {
      environment: environmentResult({ changes: [plannedChange('A', 'create')] }),
      otherChanges: [plannedChange('pr-7.example.com', 'assign')],
    },
    `${S}: plan of 2 changes`,
  ],
  ['synced', 'of nothing', variables('unchanged', 'kept'), `${S}: nothing changed`],
  ['synced', 'of one', variables('created', 'unchanged'), `${S}: 1 variable changed`],
  [
    'synced',
    'of some',
    variables('replaced', 'deleted', 'retargeted'),
    `${S}: 3 variables changed`,
  ],
  ['synced', 'of no previews that are left', { actions: [] }, `${S}: nothing to remove`],
  [
    'conflict',
    'of one',
    variables('conflict', 'created'),
    `${S} was not deployed: 1 variable in conflict`,
  ],
  [
    'skipped',
    'from the start',
    { skippedReason: 'fork' },
    `${S} was not deployed: pull requests from forks get no secrets`,
  ],
  ['skipped', 'for no known reason', {}, `${S} was not deployed`],
  [
    'skipped',
    'since it was closed',
    ended('succeeded'),
    `${S}: closed while it was being deployed`,
  ],
  ['skipped', 'since it is open', { skippedReason: 'pull-request-open' }, `${S} stays`],
  ['cleaned-up', 'now', { preview: { hostname, removal: 'done' } }, `${S} is removed`],
  ['cleaned-up', 'before', { preview: { hostname, removal: 'before' } }, `${S}: nothing to remove`],
  ['failed', 'not at all', { preview: { hostname, removal: 'left' } }, `${S} was not removed`],
  ['cleaned-up', 'in a sweep', { actions: [] }, 'Previews were removed'],
])('%s %s', (outcome, _name, fields, title) => {
  expect(describeRun(deployReport({ outcome, ...fields }))).toBe(title);
});

const others = (Object.keys(outcomes) as Outcome[]).filter((outcome) => outcome !== 'succeeded');

describe('nothing but a success that was seen', () => {
  const facts: Partial<DeployReport>[] = [
    { preview: preview('good') },
    { site },
    { site, preview: preview('good') },
    { ...ended('succeeded'), site },
    { ...ended('failed'), site },
  ];
  test.each(others)('is called live, or has an address: not %s', (outcome) => {
    for (const fields of facts) {
      const report = deployReport({ outcome, ...fields });
      expect(describeRun(report)).not.toMatch(/is live(?! again)/);
      expect(verdict(report).confirmedUrl).toBe('');
      expect(iconOfRun(report) === '✅').toBe(outcome === 'synced');
    }
  });
});

test.each<[Verification, string]>([
  ['good', '✅'],
  ['pending', '⏳'],
  ['bad', '⚠️'],
])('a deployment whose domain is %s has the sign %s', (verification, icon) => {
  expect(iconOfRun(deployReport({ preview: preview(verification) }))).toBe(icon);
});

const projectId = '2f2227dd-fe4b-4ee0-8363-d76f03da5a89';
const contextOf = (name: string): SubjectFacts['context'] => ({
  event: readWebhook({ name, payload: {}, sha: '', refName: '', refType: '', actor: '' }),
  serverUrl: 'https://github.example',
  repository: 'o/r',
});
const ofPullRequest: SubjectFacts = {
  context: contextOf('pull_request'),
  pullRequest: { number: 7 },
  environmentName: undefined,
  projectId,
};
const ofPush = { ...ofPullRequest, context: contextOf('push'), pullRequest: undefined };

test.each<[string, SubjectFacts, string, string | undefined]>([
  ['a pull request', ofPullRequest, 'Preview of #7', '2f2227dd'],
  ['leased projects', { ...ofPullRequest, projectId: undefined }, 'Preview of #7', undefined],
  [
    'one not asked for yet',
    { ...ofPullRequest, pullRequest: { number: undefined } },
    'Preview',
    '2f2227dd',
  ],
  ['a push', ofPush, 'Production', undefined],
  ['an environment', { ...ofPush, environmentName: 'staging' }, 'staging', undefined],
  ['a queue', { ...ofPush, context: contextOf('merge_group') }, 'Merge queue', undefined],
])('%s has its name, and a mark where it needs one', (_name, facts, name, mark) => {
  const subject = subjectOf(facts);
  expect([subject.name, subject.mark]).toEqual([name, mark]);
  expect(subject.commitsUrl).toBe('https://github.example/o/r/commit/');
});
