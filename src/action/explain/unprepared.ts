import type { Skip } from '../../frame/skip.ts';
import type { Problem } from '../../kernel/diagnostic.ts';
import type { WorkflowEvent } from '../../kernel/event.ts';
import { type SafeText, type Sanitize, safe, unsafeText } from '../../kernel/text/safe.ts';
import { trustIn } from '../../kernel/trust.ts';
import type { Said, Statement } from '../../report/explain/explanation.ts';
import { explainEmpty } from '../preflight/problems.ts';

/** The most mistakes that an explanation lists: the wrong file may have thousands. */
const mostListed = 50;

const nothing = { variables: [], checks: [], needs: [] };

/** What to do about a run that would be skipped. */
const advice: Readonly<Record<string, SafeText>> = {
  fork: safe`Deploy pull requests from forks with a second workflow: examples/workflows/fork-preview.yml.`,
  dependabot: safe`Add the key to the Dependabot secrets (Settings → Secrets and variables → Dependabot).`,
  'missing-credentials': safe`Set api-key, or leave on-missing-credentials at auto to get an error when it is missing.`,
  'branch-deleted': safe`To deploy anyway, set commit-sha.`,
  'pull-request-closed': safe`With preview-domain, the run removes the preview of a closed pull request.`,
};

/** What to do about a run that would be skipped for this reason; undefined if there is nothing. */
function adviceOnSkip(reason: string, event: WorkflowEvent): SafeText | undefined {
  if (reason !== 'not-allowed') return Object.hasOwn(advice, reason) ? advice[reason] : undefined;
  const { starter } = trustIn(event);
  return 'association' in starter
    ? safe`Add their association to allowed-associations, or have an allowed user start the run.`
    : safe`Use another event, such as workflow_dispatch.`;
}

/** Explains why a run would be skipped, and how to change that. */
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

/** Explains that a run would fail before any request, and because of which inputs. */
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
