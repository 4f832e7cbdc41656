import type { Skip } from '../../frame/skip.ts';
import type { Step } from '../../frame/step.ts';
import { trustIn } from '../../kernel/event/trust.ts';
import type { WorkflowEvent } from '../../kernel/event.ts';
import { type SafeText, safe, trusted } from '../../kernel/text/safe.ts';
import type { Sanitize } from '../../kernel/text/sanitize.ts';
import type { Said } from '../../report/explain/explanation.ts';
import { describeEvent } from './event.ts';

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
  step: Pick<Step<'deploy'>, 'context'>,
  { reason, message }: Skip,
  clean: Sanitize,
): Said {
  const { event } = step.context;
  const advice = adviceOnSkip(reason, event);
  return {
    would: safe`be skipped`,
    outcome: 'skipped',
    variables: [],
    checks: [],
    grants: [],
    statements: [
      { about: safe`Event`, does: describeEvent(event, clean) },
      { about: safe`Skipped`, does: safe`${clean(message)} (${trusted(reason)}).` },
      ...(advice === undefined ? [] : [{ about: safe`To change that`, does: advice }]),
    ],
  };
}
