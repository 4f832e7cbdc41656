/** An error answer, as far as it decides whether a version was refused. */
export interface WriteRefusal {
  status?: number;
  code?: string;
  detail?: string;
}

const speaksOfVersion =
  /version|conflict|stale|mismatch|precondition|outdated|out.of.date|concurren|modified/i;
const speaksOfName = /exist|duplicate|taken|unique|in use|conflict/i;

/**
 * True if a write was refused because the variable is no longer as it was read (section "Environment
 * variables": the behaviour when `expectedVersion` does not match is not shown), or is not there any more.
 *
 * @param creating the write would have created it: then the refusal may speak of the name
 */
export function isConflict({ status, code, detail }: WriteRefusal, creating: boolean): boolean {
  if (status === 409 || status === 412) return true;
  if (status === 404) return !creating;
  const words = `${code ?? ''} ${detail ?? ''}`;
  const pattern = creating ? speaksOfName : speaksOfVersion;
  return (status === 400 || status === 422) && pattern.test(words);
}
