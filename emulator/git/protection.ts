import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Git runs it before it takes a push: it reads the branches that are to change, and says why one may not. */
const hook = `#!/bin/sh
while read -r old new ref; do
  for protected in $PROTECTED_REFS; do
    if [ "$ref" = "$protected" ]; then
      echo "error: Protected branch update failed for $ref. $REFUSAL" >&2
      exit 1
    fi
  done
done
`;

/** Writes the hooks with which repositories protect branches into a new folder. */
export async function writeHooks(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'pre-receive'), hook, { mode: 0o755 });
}

/** The variables that tell the hooks which branches are protected, and what else to say. */
export function protection(branches: readonly string[], words: string): Record<string, string> {
  const references = branches.map((branch) => `refs/heads/${branch}`);
  return { PROTECTED_REFS: references.join(' '), REFUSAL: words };
}
