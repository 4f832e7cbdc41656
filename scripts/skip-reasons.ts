// The table of the output skipped-reason, for docs/reference.md.
import { type SkipReason, skipReasons } from '../src/kernel/skip-reason.ts';

/** The table of the reasons for which a run is skipped. */
export const renderSkipReasons = (): string =>
  [
    '| reason | why the run is skipped |',
    '| --- | --- |',
    ...(Object.keys(skipReasons) as SkipReason[]).map(
      (reason) => `| \`${reason}\` | ${skipReasons[reason]} |`,
    ),
  ].join('\n');
