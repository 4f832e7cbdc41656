import { NotShown, statusOf } from './trouble.ts';

/** True if a request may have had its effect although it failed. */
export function mayHaveReachedGitHub(error: unknown): boolean {
  const status = statusOf(error);
  return status === undefined || status === 408 || status >= 500;
}

/** A write to GitHub. Both give what shows it, or undefined. */
export interface ShownWrite<Shown> {
  /** Sends it, and reads the answer. */
  send(): Promise<Shown | undefined>;
  /** Looks for what was written. */
  find(): Promise<Shown | undefined>;
}

/**
 * Writes once: after an answer that was lost, or that is about something else, GitHub is asked what is there.
 *
 * @throws the error of the request, or NotShown
 */
export async function writeShown<Shown>({ send, find }: ShownWrite<Shown>): Promise<Shown> {
  let lost: unknown = new NotShown();
  try {
    const shown = await send();
    if (shown !== undefined) return shown;
  } catch (error) {
    if (!mayHaveReachedGitHub(error)) throw error;
    lost = error;
  }
  const found = await find();
  if (found === undefined) throw lost;
  return found;
}

/** The same for a write that does no harm when it is repeated: it is sent twice at most. */
export async function makeShown<Shown>(write: ShownWrite<Shown>): Promise<Shown> {
  try {
    return await writeShown(write);
  } catch (error) {
    if (!mayHaveReachedGitHub(error)) throw error;
    return await writeShown(write);
  }
}
