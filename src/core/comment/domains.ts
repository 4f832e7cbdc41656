import { titleOf } from '../report/closing.ts';
import type { DomainsReport } from '../report/domains-report.ts';
import { renderDomains } from '../report/domains-section.ts';
import { assemble, type CommentContext } from './body.ts';

/** The most rows of a comment's table, so that it stays below what GitHub takes, run link and all. */
const mostRows = 20;

/** The plan of a pull request's domains, or what was done to them, as its comment. */
export function renderDomainsComment(report: DomainsReport, context: CommentContext): string {
  const { outcome, isPlanned, changes } = report;
  const what =
    outcome === 'planned' && isPlanned
      ? `📋 Domains: ${changes.length === 0 ? 'nothing to change' : `${changes.length} to change`}`
      : `${titleOf(outcome)}: domains`;
  return assemble(context, [`### ${what}`, ...renderDomains(report, mostRows)]);
}
