import type { Log } from '../github/log.ts';
import { diagnose } from '../kernel/diagnostic.ts';

/** Does what only tells of the run. A runner that does not take it is no reason to fail a good deployment. */
export async function tell(what: string, log: Log, work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    const text = `The runner did not take the ${what}${code}`;
    log.write({ kind: 'warning', diagnostic: diagnose('SD8101', text) });
  }
}
