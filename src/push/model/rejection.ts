import { type SafeText, safe, shorten, unsafeText } from '../../kernel/text/safe.ts';

/** Lines that don't say why a push is rejected: warnings, an id, a link, and lines without a word. */
const isAside = /^(?:[^\p{L}]*$|warning: |Trace: |See https?:)/u;

/** What is around the words of a line. */
const frame = /^(?:error: |fatal: )?[-—\s]*|[-—\s]+$/g;

/** The line before the link of a hint, as GitHub prints them. */
const isHint = (line: string | undefined): boolean => line?.startsWith('(?)') === true;

/**
 * Why a push is rejected, in the words of the repository's host.
 *
 * @param remarks the lines that the host printed
 * @returns empty if it gave no reason
 */
export function readReason(remarks: readonly SafeText[]): SafeText {
  const lines = remarks
    .filter((line, index) => !isHint(line) && !isHint(remarks[index - 1]))
    .map((line) => line.replace(frame, ''))
    .filter((line) => !isAside.test(line));
  const text = lines.join('; ').replace(/(?<=[.:;,!?]); /g, ' ');
  return shorten(unsafeText(text), 500);
}

/** What to do about a rejected push, by what its host writes: GitHub's codes (`GH001`), GitLab's words, and others'. */
const remedies: readonly (readonly [RegExp, SafeText])[] = [
  [
    /\bGH001\b|file size limit|blobs which exceed/i,
    safe`A file is too large: remove it from every commit to push, not only from the newest.`,
  ],
  [
    /\bGH008\b|\bLFS objects?\b/i,
    safe`Only Git LFS pointers are pushed: push the files to git-url first, with \`git lfs push --all\`, or store them in git.`,
  ],
  [
    /push protection|secrets? (?:detected|found)|contain secrets/i,
    safe`A commit contains a secret: revoke it, and remove it from every commit to push.`,
  ],
  [
    /\bGH006\b|protected branch|branch protection|branch is protected/i,
    safe`The branch is protected: let git-token push to it, or set another git-branch.`,
  ],
  [
    /\bGH013\b|repository rule/i,
    safe`A rule of the repository forbids it: let git-token bypass the rule, or set another git-branch.`,
  ],
];

/**
 * What to do about a rejected push.
 *
 * @param reason git's word for it
 * @param words the host's; may be empty
 */
export function remedyFor(reason: string, words: string): SafeText {
  const known = remedies.find(([pattern]) => pattern.test(`${reason} ${words}`))?.[1];
  if (known !== undefined) return known;
  return words === ''
    ? safe`Check the log of the repository's host for the reason.`
    : safe`Correct what the message names, or change the rule in the repository.`;
}
