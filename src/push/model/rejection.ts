import { type SafeText, safe, shorten, unsafeText } from '../../kernel/text/safe.ts';

/** Lines that don't say why a push is rejected: warnings, an id, a link, and lines without a word. */
const isAside = /^(?:[^\p{L}]*$|[\da-f]{40,64}$|warning: |Trace: |See https?:)/u;

/** What is around the words of a line. */
const frame = /^(?:error: |fatal: )?[-—\s]*|[-—\s]+$/g;

/** A host's advice about Git LFS, which leads to the next refusal: what the push needs, our remedy says. */
const lfsAdvice =
  / ?(?:You may want to try Git Large File Storage|Try to push them with 'git lfs|To resolve this error, you must either reduce the size).*/;

/** The line before the link of a hint, as GitHub prints them. */
const isHint = (line: string | undefined): boolean => line?.startsWith('(?)') === true;

/** The link after GitHub's hint on how to allow what is no secret. */
const isAllowance = (line: string, before: string | undefined): boolean =>
  isHint(before) && before?.includes('to allow the secret') === true && /^https:/.test(line);

/**
 * Why a push is rejected, in the words of the repository's host.
 *
 * @param remarks the lines that the host printed
 * @returns empty if it gave no reason
 */
export function readReason(remarks: readonly SafeText[]): SafeText {
  // At the beginning, where nothing is cut off.
  const allowances = remarks
    .filter((line, index) => isAllowance(line, remarks[index - 1]))
    .slice(0, 2)
    .map((link) => `To allow the secret: ${link}`);
  const lines = remarks
    .filter((line, index) => !isHint(line) && !isHint(remarks[index - 1]))
    .map((line) => line.replace(frame, '').replace(lfsAdvice, ''))
    .filter((line) => !isAside.test(line));
  const text = [...allowances, ...lines].join('; ').replace(/(?<=[.:;,!?]); /g, ' ');
  return shorten(unsafeText(text.replace(/:$/, '')), 500);
}

/** What to do about a rejected push, by what its host writes: GitHub's codes (`GH001`), GitLab's words, and others'. */
const remedies: readonly (readonly [RegExp, SafeText])[] = [
  [
    /\bGH001\b|file size limit|blobs which exceed/i,
    safe`A file is too large: remove it from the history (\`git filter-repo\`), not only from the newest commit.`,
  ],
  [
    /\bGH008\b|\bLFS objects?\b/i,
    safe`Git LFS files are missing there: first run \`git lfs push --all GIT-URL\` in a clone with them.`,
  ],
  [
    /\bTo allow the secret: https:/,
    safe`Revoke the secret, and remove it from every pushed commit; if it is not real, use the link.`,
  ],
  [
    /push protection|secrets? (?:detected|found)|contain secrets/i,
    safe`A commit contains a secret: revoke it, and remove it from every commit that is pushed.`,
  ],
  [
    /\bGH007\b/,
    safe`A commit has a private email address: rewrite it, or allow it in the settings of git-token's account.`,
  ],
  [
    /\bGH006\b|protected branch|branch protection|branch is protected/i,
    safe`The branch is protected: let git-token push to it, or set another git-branch.`,
  ],
  [
    /\bGH013\b|repository rule/i,
    safe`A rule of the repository forbids it: let git-token's account bypass the rule, or set another git-branch.`,
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
    : safe`Change the commits as the message of its host requires, or change the rule there.`;
}
