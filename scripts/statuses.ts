// The tables of the statuses that the actions know, for docs/reference.md.
import { builtInDomainStatuses } from '../src/domains/evaluate.ts';
import { builtInStatuses } from '../src/follow/model/status.ts';

/** What a kind of status means to a run, and the statuses of that kind. */
type Row = readonly [meaning: string, statuses: readonly string[]];

const ofDeployments: Readonly<Record<keyof typeof builtInStatuses, string>> = {
  succeeded: 'a success: the run goes on with its checks',
  failed: 'a failure: the outcome is `failed`',
  'in-progress': 'in progress: the run waits',
};

const ofDomains: Readonly<Record<keyof typeof builtInDomainStatuses, string>> = {
  good: 'verified, if all statuses of the domain are',
  bad: 'failed, if one status of the domain is',
  pending: 'not verified yet: the run waits',
};

/** A row for each meaning. */
const rowsOf = <Meaning extends string>(
  meanings: Readonly<Record<Meaning, string>>,
  statuses: Readonly<Record<Meaning, readonly string[]>>,
): Row[] =>
  (Object.keys(meanings) as Meaning[]).map((meaning) => [meanings[meaning], statuses[meaning]]);

const tableOf = (rows: readonly Row[]): string =>
  [
    '| meaning | statuses |',
    '| --- | --- |',
    ...rows.map(([meaning, statuses]) => {
      const names = statuses.toSorted().map((status) => `\`${status}\``);
      return `| ${meaning} | ${names.join(', ')} |`;
    }),
  ].join('\n');

/** The table of the statuses of a deployment. */
export const renderStatuses = (): string => tableOf(rowsOf(ofDeployments, builtInStatuses));

/** The table of the statuses of a connected domain. */
export const renderDomainStatuses = (): string => tableOf(rowsOf(ofDomains, builtInDomainStatuses));
