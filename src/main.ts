import { gitHub } from './github/runner/runner.ts';
import type { ActionName } from './inputs.ts';
import { runAction, runPost } from './run.ts';

/** Ends the process once all output is written, even if requests are pending. */
function end(): void {
  process.stdout.write('', () => process.exit());
}

/** Starts an action: the entry of each file in `dist/`. */
export async function main(action: ActionName): Promise<void> {
  await runAction(action, gitHub(process.env));
  end();
}

/** Starts the post step of an action. */
export async function post(): Promise<void> {
  await runPost(gitHub(process.env));
  end();
}
