import type { Log } from '../github/log.ts';
import { diagnose } from '../kernel/diagnostic.ts';

/** Runs work that only reports. Its failure is a warning: it must not fail a good deployment. */
export async function tell(what: string, log: Log, work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    const text = `Could not write the step's ${what}${code}`;
    log.write({ kind: 'warning', diagnostic: diagnose('SD8101', text) });
  }
}
