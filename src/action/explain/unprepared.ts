import type { Skip } from '../../frame/skip.ts';
import { explainEmpty } from '../../kernel/event/empty-input.ts';
import { trustIn } from '../../kernel/event/trust.ts';
import type { WorkflowEvent } from '../../kernel/event.ts';
import type { Problem } from '../../kernel/problem.ts';
import { type SafeText, safe, unsafeText } from '../../kernel/text/safe.ts';
import type { Sanitize } from '../../kernel/text/sanitize.ts';
import type { Said, Statement } from '../../report/explain/explanation.ts';

/** The most mistakes that an explanation lists: a file of another kind may have thousands. */
const mostListed = 50;

const nothing = { variables: [], checks: [], needs: [] };

/** What somebody can do about a run that would be skipped; undefined if there is nothing. */
const advice: Readonly<Record<string, SafeText>> = {
  fork: safe`Deploy pull requests of forks by a second workflow, as examples/workflows/fork-preview.yml does.`,
  dependabot: safe`Set the key among Dependabot's secrets too: Settings → Secrets and variables → Dependabot.`,
  'missing-credentials': safe`Give api-key, or leave on-missing-credentials at auto to be told that it is missing.`,
  'branch-deleted': safe`Give commit-sha, if something is to be deployed nevertheless.`,
  'pull-request-closed': safe`With preview-domain, the preview of a closed pull request is ended.`,
};

/** What would let a run begin that would be skipped for this reason; undefined if nothing would. */
function adviceOnSkip(reason: string, event: WorkflowEvent): SafeText | undefined {
  if (reason !== 'not-allowed') return Object.hasOwn(advice, reason) ? advice[reason] : undefined;
  const { starter } = trustIn(event);
  return 'association' in starter
    ? safe`Name in allowed-associations what they are to the repository, or let somebody start it who is that.`
    : safe`Start it by another event, such as workflow_dispatch.`;
}

/** Explains why a run would be skipped, and what would change that. */
export function explainSkip(
  { reason, message }: Skip,
  event: WorkflowEvent,
  clean: Sanitize,
): Said {
  const advised = adviceOnSkip(reason, event);
  return {
    ...nothing,
    would: safe`be skipped`,
    outcome: 'skipped',
    statements: [
      { about: safe`Skipped`, does: safe`${clean(message)} (${unsafeText(reason)}).` },
      ...(advised === undefined ? [] : [{ about: safe`To change that`, does: advised }]),
    ],
  };
}

/** Explains that a run would fail before it asks anybody, and for which inputs. */
export function explainWrong(
  problems: readonly Problem[],
  event: WorkflowEvent,
  clean: Sanitize,
): Said {
  const listed = problems.slice(0, mostListed).map((problem): Statement => {
    const { input, message } = explainEmpty(problem, event);
    return { about: clean(input), does: clean(message) };
  });
  const left = problems.length - listed.length;
  return {
    ...nothing,
    would: safe`fail`,
    outcome: 'failed',
    statements: [
      ...listed,
      ...(left > 0 ? [{ about: safe`Inputs`, does: safe`${left} more mistakes.` }] : []),
    ],
  };
}
