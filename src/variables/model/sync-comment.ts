import { assemble, type CommentContext } from '../../recording/model/assemble.ts';
import { planInComment } from '../../report/plan.ts';
import { renderSyncBody, type SyncReport, showSyncTitle } from './sync-report.ts';

/** The plan of a project's variables as a pull request's comment. */
export function renderSyncComment(report: SyncReport, context: CommentContext): string {
  return assemble(context, [showSyncTitle(3, report), ...renderSyncBody(report, planInComment)]);
}
