import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root } from '../dist/run-step.ts';

/** A process that listens for a cancel, meets these signals, and says which of them it heard. */
const script = (signals: readonly string[], send: string) => `
  const { onCancel } = await import('./src/machine.ts');
  const stop = onCancel((signal) => console.log(signal));
  const idle = setInterval(() => undefined, 1000);
  for (const signal of ${JSON.stringify(signals)}) {
    const met = new Promise((resolve) => process.once(signal, resolve));
    ${send};
    await met;
  }
  stop();
  clearInterval(idle);
`;

async function heard(signals: readonly string[], send: string): Promise<string> {
  const args = ['--input-type=module', '--eval', script(signals, send)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
  return stdout.trim();
}

test.skipIf(process.platform === 'win32').each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'])(
  '%s is heard',
  async (signal) => {
    expect(await heard([signal], 'process.kill(process.pid, signal)')).toBe(signal);
  },
);

// No system but Windows can send it, and there only the runner does: here it is told as Node tells it.
test('SIGBREAK, which Windows sends before the runner kills, is heard, and what follows is not', async () => {
  const told = 'process.emit(signal, signal)';
  expect(await heard(['SIGBREAK'], told)).toBe('SIGBREAK');
  expect(await heard(['SIGINT', 'SIGBREAK'], told)).toBe('SIGINT');
});
