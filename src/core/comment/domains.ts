import { titleOf } from '../report/closing.ts';
import { countSettings, type DomainsReport } from '../report/domains-report.ts';
import { renderDomains } from '../report/domains-section.ts';
import { assemble, type CommentContext } from './body.ts';

/** The most rows of a comment's table, so that it stays below what GitHub takes, run link and all. */
const maxRows = 20;

/** A plan in words: `3 to change, 2 to set`. Settings are set on each apply, and are no changes. */
function describePlan(report: DomainsReport): string {
  const { length: changes } = report.changes;
  const settings = countSettings(report);
  const change = changes === 0 ? 'nothing to change' : `${changes} to change`;
  return settings === 0 ? change : `${change}, ${settings} to set`;
}

/** The plan of a pull request's domains, or what was done to them, as its comment. */
export function renderDomainsComment(report: DomainsReport, context: CommentContext): string {
  const { outcome, isPlanned } = report;
  const what =
    outcome === 'planned' && isPlanned
      ? `📋 Domains: ${describePlan(report)}`
      : `${titleOf(outcome)}: domains`;
  return assemble(context, [`### ${what}`, ...renderDomains(report, maxRows)]);
}
