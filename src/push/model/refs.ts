/**
 * Reads what `git ls-remote` printed for one reference. A pattern of git's also finds names that end alike, so
 * that only the line with exactly this name counts.
 *
 * @param reference the whole name: `refs/heads/main`
 * @returns the commit, by SHA-1 or SHA-256 as the repository has it, or null if there is no such reference
 */
export function readReference(output: string, reference: string): string | null {
  for (const line of output.split('\n')) {
    const [, id, name] = /^([0-9a-f]{40}|[0-9a-f]{64})\t(.*)$/.exec(line) ?? [];
    if (name === reference && id !== undefined) return id;
  }
  return null;
}

/** Every reference that `git ls-remote` printed, by its whole name. */
export function readReferences(output: string): Map<string, string> {
  const lines = output.split('\n').flatMap((line) => {
    const [, id, name] = /^([0-9a-f]{40}|[0-9a-f]{64})\t(.*)$/.exec(line) ?? [];
    return id === undefined || name === undefined ? [] : [[name, id] as const];
  });
  return new Map(lines);
}
