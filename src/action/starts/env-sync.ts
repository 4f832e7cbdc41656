import { commentProblems } from '../../comments/comment-problems.ts';
import { type Declared, readDeclared } from '../../declared/declared.ts';
import { type Start, type WorkOf, warningEntries, workUnlessWrong } from '../../frame/action.ts';
import { proxyProblems } from '../../frame/first-request.ts';
import { insiders, whyNotToStart } from '../../frame/skip.ts';
import type { Values } from '../../inputs.ts';
import { diagnose } from '../../kernel/diagnostic.ts';
import { prefetch } from '../../service/prefetch.ts';
import type { SyncReport, SyncSettings } from '../../variables/env-sync.ts';
import { envSync } from '../../variables/env-sync-inputs.ts';

const nothingDeclared = diagnose(
  'SD1209',
  'No variables are declared: set env-from, env, env-file or config.',
);

/** The action that applies the declared variables. */
export const envSyncStart: Start<
  'env-sync',
  Declared,
  WorkOf<'env-sync', SyncSettings>,
  SyncReport
> = {
  inputs: envSync.inputs,
  read: readDeclared,
  prepare: async (step, declared) => {
    const problems = [...declared.problems, ...commentProblems(step), ...proxyProblems(step)];
    const nothing = declared.variables.length + declared.removals.size > 0 ? [] : [nothingDeclared];
    const makeWork = (values: Values<'env-sync'>) => ({
      logEntries: warningEntries([...declared.warnings, ...nothing]),
      work: {
        values,
        request: {
          projectId: values['project-id'],
          planOnly: values.mode === 'plan',
          gates: { expectedPlan: values['expected-plan'], maxChanges: values['max-changes'] },
          guarded: step.context.event.trust.code !== 'merged' && !values['allow-production'],
        },
      },
    });
    const admission = { allowed: insiders, checksProposers: false };
    const prepared =
      whyNotToStart(step, admission) ?? workUnlessWrong(step.inputs, problems, makeWork);
    if (step.inputs.get('mode') !== 'explain') return prepared;
    return (await import('../explain/env-sync.ts')).explainSync(step, declared, prepared);
  },
  firstRequest: ({ request }) => prefetch.environment(request.projectId),
  beginOthers: async (step, declared, { values, request }, signal) => {
    const { openStores } = await import('../../frame/ledgers/stores.ts');
    const stores = openStores(values, declared, step);
    stores.begin(request.projectId, signal);
    return stores;
  },
  load: async () => (await import('../actions/env-sync.ts')).envSyncAction,
};
