// The tables of the statuses that the actions know, for docs/reference.md.
import { builtInDomainStatuses } from '../src/domains/evaluate.ts';
import { builtInStatuses } from '../src/follow/model/status.ts';

/** What a kind of status means to a run, and the statuses of that kind. */
type Row = readonly [meaning: string, statuses: readonly string[]];

const deploymentRows: readonly Row[] = [
  ['a success: the run goes on with its checks', builtInStatuses.succeeded],
  ['a failure: the outcome is `failed`', builtInStatuses.failed],
  ['in progress: the run waits', builtInStatuses['in-progress']],
];

const domainRows: readonly Row[] = [
  ['verified, if all statuses of the domain are', builtInDomainStatuses.good],
  ['failed, if one status of the domain is', builtInDomainStatuses.bad],
  ['not verified yet: the run waits', builtInDomainStatuses.pending],
];

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
export const renderStatuses = (): string => tableOf(deploymentRows);

/** The table of the statuses of a connected domain. */
export const renderDomainStatuses = (): string => tableOf(domainRows);
