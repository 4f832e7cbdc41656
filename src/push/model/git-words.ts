import { type SafeText, safe, trusted } from '../../kernel/text/safe.ts';
import type { GitTrouble } from './failure.ts';
import type { GitFault } from './fault.ts';

/** Why git could not talk to the other side, by what git, curl or ssh say of it: each in words of its own program. */
const causes: readonly (readonly [RegExp, SafeText])[] = [
  [/Could not resolve (?:host|proxy)|Name or service not known/i, safe`its name is not in DNS`],
  [/Temporary failure in name resolution/i, safe`DNS did not answer`],
  [/Connection refused|Couldn't connect to server/i, safe`nothing listens at that address`],
  [/No route to host|Network is unreachable/i, safe`there is no way to that address`],
  [/timed out|Timeout was reached|too slow/i, safe`the other side did not answer in time`],
  [/certificate has expired/i, safe`its certificate has expired`],
  [/no alternative certificate subject name/i, safe`its certificate is for another name`],
  [/certificate (?:problem|verif)/i, safe`its certificate is not trusted`],
  [
    /Host key verification failed/i,
    safe`its host key is not the one in known_hosts, or is not there`,
  ],
  [/Permission denied \(/i, safe`it does not accept the ssh key`],
  [
    /Connection reset|early EOF|hung up|Empty reply|unexpected disconnect|Recv failure|closed by remote host/i,
    safe`the other side closed the connection`,
  ],
];

/** The cause in our words; undefined if it is not known, or if the other side speaks in git's words. */
function causeOf(words: SafeText): SafeText | undefined {
  if (/\bremote: /.test(words)) return undefined;
  return causes.find(([pattern]) => pattern.test(words))?.[1];
}

/** What git's words say nothing more of than ours do. */
const isClear: ReadonlySet<GitFault> = new Set([
  'credentials',
  'forbidden',
  'not-found',
  'redirected',
  'proxy',
  'proxy-down',
  'too-much',
  'too-large',
  'no-commit',
  'no-room',
]);

/** Where what git says is its cause. */
const hasCause: ReadonlySet<GitFault> = new Set(['broken', 'cut-off']);

/** Git's own words, without the signs of its program; empty where ours say it, unless the other side speaks in them. */
function wordsOf(trouble: GitTrouble): SafeText {
  if (!('words' in trouble)) return safe``;
  const { words } = trouble;
  if ('fault' in trouble && isClear.has(trouble.fault) && !/\bremote: /.test(words)) return safe``;
  const plain = words.replace(/(?<=^| )(?:fatal|remote): /g, '').replace(/^error: /, '');
  // What follows the first of its errors is what followed from it.
  return trusted(plain.replace(/ error: (?!\d).*/, ''));
}

/** What the other side says among git's words. */
const saidBy = (words: SafeText): SafeText =>
  trusted(
    Array.from(
      words.matchAll(/\bremote: (.*?)(?= (?:remote|fatal|error): |$)/g),
      ([, said = '']) => said,
    ).join(' '),
  );

/** What git, or the other side by it, says beside our sentence, with a space before it; empty if that is nothing more. */
export function whatGitSays(trouble: GitTrouble): SafeText {
  const words = wordsOf(trouble);
  if (words === '' || !('words' in trouble)) return safe``;
  const cause =
    'fault' in trouble && hasCause.has(trouble.fault) ? causeOf(trouble.words) : undefined;
  if (cause !== undefined) return safe` The cause: ${cause}.`;
  const [, status] = /The requested URL returned error: (\d{3})/.exec(words) ?? [];
  if (status === undefined) return safe` Git says: ${words}`;
  const said = saidBy(trouble.words);
  return said === ''
    ? safe` It answered ${trusted(status)}.`
    : safe` It answered ${trusted(status)}: ${said}`;
}
