import { expect, it } from 'vitest';
import { renderMarkdown } from '../../emulator/page/markdown.ts';
import { renderPage } from '../../scripts/page/page.ts';

const comment = (text: string) => renderMarkdown(text, { breaks: true });

it('renders what the actions write as GitHub does', () => {
  const table = comment('| Name | Why |\n| :--- | :--- |\n| <code>A&#95;B</code> | new |');
  expect(table).toContain('<td align="left"><code>A&#95;B</code></td>');
  const folded = comment('<details><summary>3 &lt;more&gt;</summary>\n\n- [x] done\n\n</details>');
  expect(folded).toContain('<details><summary>3 &lt;more&gt;</summary>');
  expect(folded).toMatch(/<li><input checked="" disabled="" type="checkbox"> done/);
  expect(comment('one\ntwo')).toBe('<p>one<br>two</p>\n');
  expect(renderMarkdown('one\ntwo', { breaks: false })).toBe('<p>one\ntwo</p>\n');
  expect(comment('<!-- our mark -->\n\nseen')).toBe('<p>seen</p>\n');
  expect(comment('https://example.com/a')).toContain('<a href="https://example.com/a"');
  expect(comment('```mermaid\ngantt\n```')).toContain('Mermaid');
});

it('colours a diff as GitHub does, whatever stands in it', () => {
  const html = comment('```diff\n@@ a @@\n+ <b>\n- old\n~ both\n! look\n```');
  expect(html).toBe(
    '<pre><code><span class="hunk">@@ a @@</span>\n<span class="added">+ &lt;b&gt;</span>\n<span class="removed">- old</span>\n~ both\n<span class="changed">! look</span></code></pre>\n',
  );
});

it.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<code onclick="alert(1)">x</code>',
  '<b/onclick=alert(1)>x</b>',
  '</section></body><iframe src="https://example.com">',
  '<style>body { display: none }</style>',
  '<!-- --><svg onload=alert(1)>',
  '<!--><svg onload=alert(1)> -->',
  '<form action="https://example.com"><button>x</button></form>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt&#58;alert(1))',
  '[x](data:text/html,alert)',
  '[x](<https://example.com/"onmouseover="alert(1)>)',
  '![x](https://example.com/x.png "title")',
  '```\n<svg onload=alert(1)>\n```',
  '`<svg onload=alert(1)>`',
  '```"><svg onload=alert(1)>\nx\n```',
])('lets nothing run or load, and nobody out of the frame: %s', (text) => {
  const html = comment(text);
  const tags = [...html.matchAll(/<([^>]*)>/g)].map(([, tag = '']) => tag);
  for (const tag of tags)
    expect(tag).toMatch(/^(?:\/?(?:p|b|pre|code)|a href="https:[^"]*" rel="noreferrer"|\/a)$/);
});

it('is one page that loads and runs nothing, in both themes', () => {
  const hostile = '</title></style><script>alert(1)</script>';
  const page = renderPage({
    title: hostile,
    played: hostile,
    annotations: [{ level: 'error', title: hostile, message: hostile }],
    comments: [hostile],
    issues: [{ number: 1, title: hostile, state: 'closed', reason: 'completed', body: hostile }],
    summary: hostile,
    log: [`▾ ${hostile}`, `  ${hostile}`, `Error: ${hostile}\u001b[31m`],
  });
  expect(page).not.toMatch(/<script|url\(|@import|src=/i);
  expect(page).not.toContain('\u001b');
  expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  expect(page.match(/<\/(?:title|style)>/g)).toHaveLength(2);
  for (const theme of ['light', 'dark']) expect(page).toContain(`:root:has(#${theme}:checked)`);
});
