import type { DeclaredVariables } from '../../declared/declared.ts';
import type { Explained, Prepared } from '../../frame/action.ts';
import type { Step } from '../../frame/step.ts';
import { safe, trusted } from '../../kernel/text/safe.ts';
import type { Sanitize } from '../../kernel/text/sanitize.ts';
import { countOf } from '../../report/closing.ts';
import type { Explanation, Statement } from '../../report/explain/explanation.ts';
import type { EnvSyncWork } from '../starts/env-sync.ts';
import { describeEvent } from './event.ts';
import { checkingOut, listVariables, sayKey, sayVariables, sayWorkspace } from './shared.ts';
import { explainSkip } from './skipped.ts';
import { telling } from './telling.ts';
import { explainWrong } from './wrong.ts';

function statementsOf(
  { context }: Step<'env-sync'>,
  declared: DeclaredVariables,
  { values, request }: EnvSyncWork,
  clean: Sanitize,
): Statement[] {
  const { expectedPlan, maxChanges } = request.gates;
  const guard = request.guarded
    ? safe` If it serves a domain, the run fails before it writes: the code is not merged, and allow-production is false.`
    : safe``;
  const written = sayVariables(declared, values, false, clean);
  const files = sayWorkspace(values, clean);
  const key = sayKey(values);
  const about = safe`Variables`;
  const gates = safe`Nothing is written if the plan is another one than expected-plan says, or larger than max-changes.`;
  return [
    { about: safe`Event`, does: describeEvent(context.event, clean) },
    {
      about: safe`Project`,
      does: safe`${trusted(request.projectId)}, as project-id says.${guard}`,
    },
    typeof written === 'string' ? { about, does: written } : { about, ...written },
    ...(expectedPlan === undefined && maxChanges === undefined
      ? []
      : [{ about: safe`Gates`, does: gates }]),
    ...(files === undefined ? [] : [{ about: safe`Workspace`, does: files }]),
    { about: safe`Comment`, leaves: safe`only a plan is commented (mode: plan).` },
    ...(key === undefined ? [] : [{ about: safe`Key`, ...key }]),
  ];
}

/** Explains what a sync was prepared to do, or why it would be skipped. */
export function explainSync(
  step: Step<'env-sync'>,
  declared: DeclaredVariables,
  prepared: Prepared<EnvSyncWork>,
): Explained {
  const { serverUrl, repository } = step.context;
  const subject = { name: safe`Variables`, repositoryUrl: `${serverUrl}/${repository}` };
  return {
    kind: 'explained',
    explain: (clean) => {
      if (prepared.kind === 'skip') {
        const explanation = { subject, ...explainSkip(step, prepared, clean) };
        return telling(explanation, { outputs: {} });
      }
      if (prepared.kind === 'problems') {
        const { problems } = prepared;
        const explanation = { subject, ...explainWrong(step, problems, clean) };
        return telling(explanation, { outputs: {}, problems });
      }
      const statements = statementsOf(step, declared, prepared.work, clean);
      const variables = listVariables(declared.variables, clean);
      const touched = variables.length + declared.removals.size;
      const explanation: Explanation = {
        subject,
        would:
          touched === 0 ? safe`change nothing` : safe`sync ${countOf(touched, safe`variable`)}`,
        outcome: 'planned',
        statements,
        variables,
        checks: [],
        grants: sayWorkspace(prepared.work.values, clean) === undefined ? [] : [checkingOut],
      };
      const told = telling(explanation, { outputs: {} });
      return { ...told, says: [...prepared.says, ...told.says] };
    },
  };
}
