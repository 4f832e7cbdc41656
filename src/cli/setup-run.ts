import { DiagnosedError } from '../kernel/diagnostic.ts';
import { createRedact, createSanitize } from '../kernel/text/redact.ts';
import { onCancel } from '../machine.ts';
import { ServiceError } from '../service/errors.ts';
import { explainError } from '../step/run-outcome.ts';
import { boundRun, RunAborted } from '../step/step.ts';
import type { SetupRequest } from './arguments.ts';
import type { SetupSurroundings, Surroundings } from './surroundings.ts';

/**
 * Runs a command that sets up a repository, and loads only the code of that one.
 *
 * @returns the exit status
 * @throws UsageError, DiagnosedError
 */
export async function runSetup(
  request: SetupRequest,
  around: Surroundings,
  run: SetupSurroundings['run'],
): Promise<number> {
  using bounds = boundRun(onCancel, Date.now());
  const { signal } = bounds;
  const setup = { ...around, signal, run };
  try {
    return request.command === 'init'
      ? await (await import('./init/init.ts')).init(request, setup)
      : await (await import('./add-variable.ts')).addVariable(request, setup);
  } catch (error) {
    // It says more than the signal.
    if (error instanceof RunAborted) throw error;
    signal.throwIfAborted();
    if (!(error instanceof ServiceError)) throw error;
    throw new DiagnosedError(explainError(error, createSanitize(createRedact([]))));
  }
}
