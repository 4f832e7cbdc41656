import { assemble, type CommentContext } from '../../recording/model/assemble.ts';
import { heading } from '../../report/markdown.ts';
import { planInComment } from '../../report/plan.ts';
import type { DomainsReport } from './domains-report.ts';
import { renderDomains } from './domains-section.ts';
import { describeDomains, iconOfDomains } from './domains-title.ts';

/** The most rows of a comment's table, so that it stays below what GitHub takes, run link and all. */
const maxRows = 20;

/** The plan of a pull request's domains, or what was done to them, as its comment. */
export function renderDomainsComment(report: DomainsReport, context: CommentContext): string {
  const title = heading(3, iconOfDomains(report), describeDomains(report));
  const page = { most: maxRows, ...planInComment };
  return assemble(context, [title, ...renderDomains(report, page)]);
}
