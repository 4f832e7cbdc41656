/** Some of the quick actions of a merge request. */
const names = 'approve|assign|close|draft|label|lock|merge|rebase|reopen|shrug|target_branch|title';

/**
 * A line that begins with a quick action, as GitLab finds it: not in what it takes for a block of code between backticks,
 * for code of a line, for HTML or for a quotation.
 */
const pattern = new RegExp(
  [
    '(?:^```.+?\\n```$)',
    '(?:^.*`\\n*.+?\\n*`$)',
    '(?:^<[^>]+?>\\n.+?\\n<\\/[^>]+?>$)',
    '(?:^>>>.+?\\n>>>$)',
    `(?:^\\/(?<cmd>${names})(?:[ ](?<arg>[^\\n]*))?(?:\\s*\\n|$))`,
  ].join('|'),
  'gims',
);

/** What GitLab does with a note: its quick actions are carried out, and left out of its text. */
export function extractQuickActions(note: string): { text: string; actions: string[] } {
  const actions: string[] = [];
  const text = note.replaceAll('\r', '').replace(pattern, (whole, ...rest) => {
    const { cmd, arg } = rest.at(-1) as { cmd?: string; arg?: string };
    if (cmd === undefined) return whole;
    actions.push([cmd.toLowerCase(), arg ?? ''].join(' ').trim());
    return '';
  });
  return { text: text.trimEnd(), actions };
}
