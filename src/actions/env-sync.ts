import { commentProblems } from '../comments/comment-problems.ts';
import { readDeclared } from '../declared/declared.ts';
import { proxyProblems } from '../http/proxies.ts';
import { diagnose } from '../kernel/diagnostic.ts';
import { createSanitize } from '../kernel/text/redact.ts';
import type { Platform } from '../platform.ts';
import { warningEntries } from '../report/log-entry.ts';
import { prefetch } from '../service/http.ts';
import type { StepResult } from '../step/end-step.ts';
import { beginLedger, connect, openStep, whenWritten } from '../step/open-step.ts';
import { insiders, unlessWrong, whyNotToStart } from '../step/skip.ts';
import type { Step } from '../step/step.ts';
import type { SyncSettings } from '../variables/env-sync.ts';
import { envSync as definition, type EnvSyncValues } from '../variables/env-sync-inputs.ts';
import { variablesRequest } from '../variables/intent.ts';

const loadRest = () => import('./late/env-sync.ts');

const nothingDeclared = diagnose(
  'SD1209',
  'No variables are declared: set env-from, env, env-file or config.',
);

/** The action that applies the declared variables, or plans it. */
export async function envSyncAction(platform: Platform): Promise<StepResult> {
  using step = await openStep(platform, definition.inputs, readDeclared);
  const { inputs, declared, log } = step;
  const problems = [...declared.problems, ...commentProblems(step), ...proxyProblems(step)];
  const job =
    whyNotToStart(step, { allowed: insiders, checksProposers: false }) ??
    unlessWrong(inputs, problems);
  const nothing = declared.variables.length + declared.removals.size > 0 ? [] : [nothingDeclared];
  const notes = warningEntries([...declared.warnings, ...nothing]);
  if (inputs.get('mode') === 'explain') {
    const work =
      job.kind === 'valid'
        ? { kind: job.kind, settings: settingsOf(job.values, step), notes }
        : job;
    const [{ envSyncView, explain }, { explainSync }] = await Promise.all([
      loadRest(),
      import('./explain/env-sync.ts'),
    ]);
    return await explain(
      step,
      envSyncView,
      explainSync(step, declared, work, createSanitize(step.redact)),
    );
  }
  if (job.kind !== 'valid') {
    const { commentVariables, envSyncView, refuse } = await loadRest();
    // An earlier comment shows the plan of other inputs.
    const isCommented = inputs.get('mode') === 'plan';
    return await refuse(step, envSyncView, job, async (report) =>
      isCommented ? commentVariables(step, report) : {},
    );
  }

  const { values } = job;
  for (const note of notes) log.write(note);
  const settings = settingsOf(values, step);
  const transport = await connect(step, values, prefetch.environment(settings.projectId));
  const stores = await beginLedger(step, values, declared, settings.projectId);
  await whenWritten();
  const rest = await loadRest();
  const { commentVariables, envSync, envSyncView: view, ledgersFor, openService } = rest;
  await using service = await openService(step, values, transport);
  const ledgers = ledgersFor(values, declared, step, { ...service, stores });
  const request = { ...settings, ...variablesRequest(declared), ledgers };
  const planned = rest.complete(step, await envSync(service, request));
  const report = await rest.withVariablesDrift(step, planned, values);
  await rest.setOutputs(step, view, report);
  const commenting = settings.planOnly ? commentVariables(step, report) : undefined;
  const end = await rest.finish(view, report, commenting, { isDrifted: report.drifted === true });
  await ledgers.allSaved();
  return end;
}

/** What a sync is to do, besides the variables. */
function settingsOf(values: EnvSyncValues, { context }: Step<EnvSyncValues>): SyncSettings {
  return {
    projectId: values['project-id'],
    planOnly: values.mode === 'plan',
    gates: { expectedPlan: values['expected-plan'], maxChanges: values['max-changes'] },
    guarded: context.event.trust.code !== 'merged' && !values['allow-production'],
  };
}
