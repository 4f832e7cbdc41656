import { git } from '../git/git.ts';
import { type Html, html, longText, showInvisible, trustedHtml } from './html.ts';
import { colorDiff } from './markdown.ts';
import { muted, type View } from './part.ts';

/** How much of a commit is shown, in UTF-16 units. */
const longest = 200_000;

/** A commit of a repository as its page shows it. Null if there is none. */
export async function renderCommit(
  { github }: View,
  repository: string,
  sha: string,
): Promise<Html | null> {
  if (!github.repositories().includes(repository)) return null;
  const folder = await github.gitFolder(repository);
  const shown = (...args: string[]) =>
    git([
      `--git-dir=${folder}`,
      'show',
      '--no-ext-diff',
      '--no-textconv',
      ...args,
      sha,
      '--',
    ]).catch(() => null);
  const message = await shown('--no-patch', '--format=%B%n%an committed %ad');
  const diff = await shown('--format=', '--stat', '--patch', '--diff-merges=first-parent');
  if (message === null || diff === null) return null;
  const isCut = diff.length > longest;
  return html`<section>
<h2>Commit ${sha.slice(0, 7)}</h2>
<p class="muted">${repository} · <code>${sha}</code></p>
<pre class="log">${longText(message.trim())}</pre>
<div class="body"><pre><code>${trustedHtml(colorDiff(showInvisible(diff.slice(0, longest))))}</code></pre></div>
${isCut && muted('The rest is not shown.')}</section>`;
}
