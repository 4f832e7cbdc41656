import { NotShown, statusOf } from './trouble.ts';

/** True if a failed request may have had its effect. */
export function mayHaveReachedGitHub(error: unknown): boolean {
  const status = statusOf(error);
  return status === undefined || status === 408 || status >= 500;
}

/** A write to GitHub. Both functions return what confirms it, or undefined. */
export interface ShownWrite<Shown> {
  /** Sends it, and reads the response. */
  send(): Promise<Shown | undefined>;
  /** Searches for what was written. */
  find(): Promise<Shown | undefined>;
}

/**
 * Writes once. If the response is lost, or is about something else, what was written is searched for.
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

/** The same for a write that is safe to repeat: it is sent at most twice. */
export async function makeShown<Shown>(write: ShownWrite<Shown>): Promise<Shown> {
  try {
    return await writeShown(write);
  } catch (error) {
    if (!mayHaveReachedGitHub(error)) throw error;
    return await writeShown(write);
  }
}
