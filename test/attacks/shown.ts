import type { ActionResult } from '../../emulator/runner.ts';

/**
 * Everything that a step handed on where people read it: what it printed before the runner's own masks, but for the
 * lines that register them, its outputs, its summary and its annotations.
 */
export function shownBy({ raw, outputs, summary, annotations }: ActionResult): string {
  const printed = raw.stdout.replaceAll(/^::add-mask::.*$/gm, '') + raw.stderr;
  return [printed, ...Object.values(outputs), summary, JSON.stringify(annotations)].join('\n');
}

/** The pieces of a secret, of so many characters, that stand in a text. */
export function piecesOf(secret: string, length: number, text: string): string[] {
  const pieces = Array.from({ length: secret.length - length + 1 }, (_, at) =>
    secret.slice(at, at + length),
  );
  return pieces.filter((piece) => text.includes(piece));
}
