import { failsStep } from '../core/outcome.ts';
import type { Problem } from '../core/problem.ts';
import { closingLine } from '../core/report/closing.ts';
import type { DeployReport } from '../core/report/report.ts';
import { renderSummary } from '../core/report/summary.ts';
import { clean } from '../core/text/clean.ts';
import { createRedact } from '../core/text/redact.ts';
import { createLog } from '../github/log.ts';
import { maskSecrets } from '../github/runner.ts';
import { boundRun } from './bounds.ts';
import { readDeclared } from './declared.ts';
import { deployOutputs } from './outputs.ts';
import { prepareDeploy } from './prepare-deploy.ts';
import { runDeploy } from './run-deploy.ts';
import type { Step, StepEnd } from './step.ts';

const defaultTimeout = 20 * 60 * 1000;

/** The longest that a list of problems may be, in characters: it becomes one annotation. */
const longestProblems = 3500;

function describeProblems(problems: readonly Problem[]): string {
  const all = problems.map(({ input, message }) => `${input}: ${message}`);
  return all.length === 1 ? (all[0] ?? '') : `${all.length} inputs are wrong. ${all.join('. — ')}`;
}

/** Runs a step of the deploy action, from its inputs to its report. */
export async function deployStep(step: Step<'deploy'>): Promise<StepEnd<'deploy'>> {
  const { values, context, environment } = step;
  const started = Date.now();
  const declared = await readDeclared(values, context, environment);
  const hidden = declared.variables.filter(({ kind }) => kind === 'secret');
  const secrets = [...step.secrets, ...hidden.map(({ value }) => value)];
  maskSecrets(secrets);
  const redact = createRedact(secrets);
  const log = createLog(redact);

  const end = (report: Omit<DeployReport, 'durationMs'>): StepEnd<'deploy'> => {
    const whole = { ...report, durationMs: Date.now() - started };
    return {
      outcome: report.outcome,
      outputs: deployOutputs(whole),
      closing: closingLine(whole),
      summary: renderSummary(whole),
      error: report.error,
      fails: failsStep(report.outcome, values['on-unconfirmed'] ?? 'warn'),
    };
  };
  const given = values['commit-sha'];
  const unsent = {
    projectId: values['project-id'] ?? '',
    commit: given === undefined || given === 'HEAD' ? '' : given,
    phases: [],
    requests: 0,
  };

  using bounds = boundRun(values.timeout ?? defaultTimeout);
  const prepared = await prepareDeploy(step, declared, bounds.signal);
  if (prepared.kind === 'skip') {
    log.write({ kind: 'notice', text: `Skipped: ${prepared.message}.` });
    return end({ ...unsent, outcome: 'skipped', skippedReason: prepared.reason });
  }
  if (prepared.kind === 'problems') {
    for (const { input, message } of prepared.problems) {
      log.write({ kind: 'line', text: `× ${input}: ${clean(redact(message))}` });
    }
    const error = clean(redact(describeProblems(prepared.problems)), longestProblems);
    return end({ ...unsent, outcome: 'failed', error });
  }
  for (const text of prepared.notes) log.write({ kind: 'line', text });
  const access = { baseUrl: values['base-url'] ?? '', apiKey: values['api-key'] ?? '' };
  return end(await runDeploy(prepared.request, access, log, redact, bounds));
}
