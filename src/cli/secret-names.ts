import { isReserved } from '../variables/model/source.ts';
import { isWithheld } from './site-environment.ts';

/** The secret of which previews get a variable. */
export const previewSecret = (name: string): string => `PREVIEW_${name}`;

/** Names that programs of the runner, Node or git read. */
const ofPrograms =
  /^(?:NODE(?!_ENV$)|NPM|GIT|LD|DYLD|OPENSSL|SSL)_|^(?:CI|HOME|PATH|SHELL|USER|TMPDIR)$|_PROXY$/i;

/** Why no secret, and no variable of a step's `env:`, gets this name; undefined if it may. */
export function whyRefused(name: string): string | undefined {
  if (!/^[A-Za-z_]\w*$/.test(name)) return 'a secret of GitHub has only letters, digits and _';
  if (/^PREVIEW_/i.test(name)) return 'the secrets of previews begin so';
  return isReserved(name) || isWithheld(name) || ofPrograms.test(name)
    ? 'the runner, Node, git or this command reads it'
    : undefined;
}
