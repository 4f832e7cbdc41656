import { planInComment } from '../report/plan.ts';
import { renderSyncBody, type SyncReport, showSyncTitle } from '../report/sync-report.ts';
import { assemble, type CommentContext } from './body.ts';

/** The plan of a project's variables as a pull request's comment. */
export function renderSyncComment(report: SyncReport, context: CommentContext): string {
  return assemble(context, [showSyncTitle(3, report), ...renderSyncBody(report, planInComment)]);
}
