/** Why the cache did not do what it was asked: a clean line without secrets, to follow a colon. */
export class CacheTrouble extends Error {
  override readonly name = 'CacheTrouble';
  /** Whether the whole task may well succeed if it is begun anew. */
  readonly isPassing: boolean;

  constructor(message: string, isPassing: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isPassing = isPassing;
  }
}

/** An answer that fits neither protocol: this is how a change of GitHub's shows first. */
export function strangeAnswer(name: string): CacheTrouble {
  const why = 'the cache may speak a protocol that this version of the action does not know';
  return new CacheTrouble(`${name} was answered in an unknown form (${why})`, false);
}

/** A fault that may be gone soon. 429 is none, for its limit outlasts a run; 409 is: the next key is another. */
const passing: ReadonlySet<number> = new Set([408, 409, 500, 502, 503, 504]);

/** Whether a status of the cache's service may be another one soon. */
export function passesAtService(status: number): boolean {
  return passing.has(status);
}

/** The same of the store behind it: an address may have expired, or lead to what is not there yet. */
export function passesAtStore(status: number): boolean {
  return passing.has(status) || status === 401 || status === 403 || status === 404;
}
