import type { RunOptions } from '../../emulator/runner.ts';
import type { Request, WorkflowRequest } from './arguments.ts';
import { playFile } from './play-file.ts';
import { playRequest } from './play-request.ts';
import type { Print } from './show.ts';

/**
 * Plays what a person asked for.
 * @returns the exit status
 * @throws UsageError for what cannot be played, before anything is
 */
export async function play(
  request: Request | WorkflowRequest,
  around: { print: Print; launch?: RunOptions['launch']; signal?: AbortSignal },
): Promise<number> {
  return 'workflow' in request
    ? await playFile(request, around)
    : await playRequest(request, around);
}
