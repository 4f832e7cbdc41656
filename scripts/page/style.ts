import { markdownStyle, runStyle, theme } from '../../emulator/page/github-style.ts';

/** The look of the page. A comment is as wide as on a pull request's page. */
export const style = `
${theme}
:root:has(#light:checked) { color-scheme: light; }
:root:has(#dark:checked) { color-scheme: dark; }
* { box-sizing: border-box; }
body {
  margin: 0 auto;
  max-width: 940px;
  padding: 24px 24px 64px;
  background: var(--canvas);
  color: var(--text);
  font: 14px/1.5 var(--sans);
}
a { color: var(--link); }
.top { display: flex; flex-wrap: wrap; gap: 8px 24px; align-items: baseline; }
.top h1 { margin: 0; font-size: 20px; font-weight: 600; }
.theme { margin: 0 0 0 auto; padding: 0; border: 0; color: var(--muted); }
.theme label { margin-left: 12px; }
.played { margin: 4px 0 24px; color: var(--muted); overflow-wrap: anywhere; }
.part { margin: 32px 0 8px; font-size: 14px; font-weight: 600; color: var(--muted); }
.none { color: var(--muted); }

.comment { display: grid; grid-template-columns: 40px minmax(0, 836px); gap: 16px; margin-bottom: 16px; }
.avatar { width: 40px; height: 40px; border-radius: 6px; background: var(--inset); border: 1px solid var(--border);
  display: grid; place-items: center; font-size: 20px; }
.box { border: 1px solid var(--border); border-radius: 6px; max-width: 836px; background: var(--canvas); }
.head { padding: 8px 16px; border-bottom: 1px solid var(--border); border-radius: 6px 6px 0 0; background: var(--inset); color: var(--muted); }
.head b { color: var(--text); font-weight: 600; }
.head i { margin: 0 4px; padding: 0 7px; border: 1px solid var(--border); border-radius: 2em; font-size: 12px; font-style: normal; }
.state { margin-right: 4px; padding: 0 8px; border: 1px solid var(--border); border-radius: 2em; font-size: 12px; }
.state.open { color: var(--added); }
.summary { max-width: none; }
.summary .head { background: none; font-weight: 600; }

${markdownStyle}
.summary .body { padding: 24px; font-size: 16px; }

/* As GitHub shows it on a phone: no avatar, and little around. */
@media (max-width: 500px) {
  body { padding: 8px 8px 32px; }
  .comment { display: block; }
  .avatar { display: none; }
  .body, .summary .body { padding: 12px; }
  .head { padding: 8px 12px; }
}

${runStyle}
`;
