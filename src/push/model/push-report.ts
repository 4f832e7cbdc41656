/**
 * What a push says of the one branch that it was for:
 * - `pushed`: the branch has the commit now
 * - `unchanged`: it had it already
 * - `outdated`: it is not what we took it for, so that nothing was sent
 * - `rejected`: the other side did not take it, for a reason in its own words
 * - `not-stored`: the other side could not store the objects
 * - `unknown`: the other side did not say
 */
export type PushVerdict =
  | { readonly kind: 'pushed' | 'unchanged' | 'outdated' | 'not-stored' | 'unknown' }
  | { readonly kind: 'rejected'; readonly reason: string };

const done: Readonly<Record<string, PushVerdict>> = {
  ' ': { kind: 'pushed' },
  '+': { kind: 'pushed' },
  '*': { kind: 'pushed' },
  '=': { kind: 'unchanged' },
};

function readRefusal(summary: string): PushVerdict {
  const [, who = '', reason = ''] = /^\[(.*?)\](?: \((.*)\))?$/s.exec(summary) ?? [];
  if (who === 'rejected') return { kind: 'outdated' };
  if (who !== 'remote rejected') return { kind: 'unknown' };
  return reason === 'unpacker error' ? { kind: 'not-stored' } : { kind: 'rejected', reason };
}

/**
 * Reads what `git push --porcelain` printed: a line for each reference, of a flag, what was pushed where, and a
 * summary, with tabs between them.
 *
 * @param reference the whole name of the branch: `refs/heads/main`
 * @returns `unknown` if no line is about the branch
 */
export function readPushReport(output: string, reference: string): PushVerdict {
  for (const line of output.split('\n')) {
    const [flag = '', route = '', ...rest] = line.split('\t');
    if (!route.endsWith(`:${reference}`)) continue;
    return done[flag] ?? readRefusal(rest.join('\t'));
  }
  return { kind: 'unknown' };
}
