/** Colours of GitHub's two themes, light and dark. */
const colours = {
  canvas: ['#ffffff', '#0d1117'],
  inset: ['#f6f8fa', '#151b23'],
  text: ['#1f2328', '#f0f6fc'],
  muted: ['#59636e', '#9198a1'],
  border: ['#d1d9e0', '#3d444d'],
  link: ['#0969da', '#4493f8'],
  code: ['#818b981f', '#656c7633'],
  error: ['#d1242f', '#f85149'],
  warning: ['#9a6700', '#d29922'],
  notice: ['#0969da', '#4493f8'],
  hunk: ['#8250df', '#d2a8ff'],
  added: ['#116329', '#aff5b4'],
  addedBack: ['#dafbe1', '#033a16'],
  removed: ['#82071e', '#ffdcd7'],
  removedBack: ['#ffebe9', '#67060c'],
  changed: ['#953800', '#ffdfb6'],
  changedBack: ['#ffd8b5', '#5a1e02'],
} as const;

const variables = Object.entries(colours)
  .map(([name, [light, dark]]) => `  --${name}: light-dark(${light}, ${dark});`)
  .join('\n');

/** The look of the page. A comment is as wide as on a pull request's page. */
export const style = `
:root {
  color-scheme: light dark;
${variables}
  --sans: -apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif,
    "Apple Color Emoji", "Segoe UI Emoji", "Noto Color Emoji";
  --mono: ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace;
}
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

.annotations { margin: 0; padding: 0; list-style: none; border: 1px solid var(--border); border-radius: 6px; }
.annotations li { padding: 12px 16px 12px 40px; position: relative; }
.annotations li + li { border-top: 1px solid var(--border); }
.annotations li::before { content: ""; position: absolute; left: 16px; top: 17px; width: 12px; height: 12px; border-radius: 50%; }
.annotations .error::before { background: var(--error); }
.annotations .warning::before { background: var(--warning); }
.annotations .notice::before { background: var(--notice); }
.annotations strong { display: block; font-weight: 600; }
.annotations span { overflow-wrap: anywhere; font-size: 13px; }

.comment { display: grid; grid-template-columns: 40px minmax(0, 836px); gap: 16px; margin-bottom: 16px; }
.avatar { width: 40px; height: 40px; border-radius: 6px; background: var(--inset); border: 1px solid var(--border);
  display: grid; place-items: center; font-size: 20px; }
.box { border: 1px solid var(--border); border-radius: 6px; max-width: 836px; background: var(--canvas); }
.head { padding: 8px 16px; border-bottom: 1px solid var(--border); border-radius: 6px 6px 0 0; background: var(--inset); color: var(--muted); }
.head b { color: var(--text); font-weight: 600; }
.head i { margin: 0 4px; padding: 0 7px; border: 1px solid var(--border); border-radius: 2em; font-size: 12px; font-style: normal; }
.summary { max-width: none; }
.summary .head { background: none; font-weight: 600; }

.body { padding: 16px; overflow-wrap: break-word; }
.summary .body { padding: 24px; font-size: 16px; }
.body > :first-child { margin-top: 0; }
.body > :last-child { margin-bottom: 0; }
.body :is(p, ul, ol, dl, table, pre, blockquote, details, figure) { margin: 0 0 16px; }
.body :is(h1, h2, h3, h4) { margin: 24px 0 16px; font-weight: 600; line-height: 1.25; }
.body h1 { font-size: 2em; padding-bottom: .3em; border-bottom: 1px solid var(--border); }
.body h2 { font-size: 1.5em; padding-bottom: .3em; border-bottom: 1px solid var(--border); }
.body h3 { font-size: 1.25em; }
.body h4 { font-size: 1em; }
.body :is(ul, ol) { padding-left: 2em; }
.body table { display: block; width: max-content; max-width: 100%; overflow: auto; border-collapse: collapse; }
.body :is(th, td) { padding: 6px 13px; border: 1px solid var(--border); text-align: left; }
.body th { font-weight: 600; }
.body tr:nth-child(2n) td { background: var(--inset); }
.body code { padding: .2em .4em; border-radius: 6px; background: var(--code); font: 85%/1.5 var(--mono); white-space: break-spaces; }
.body pre { padding: 16px; overflow: auto; border-radius: 6px; background: var(--inset); font-size: 85%; line-height: 1.45; }
.body pre code { padding: 0; background: none; font-size: 100%; white-space: pre; }
.body .hunk { color: var(--hunk); font-weight: 600; }
.body .added { color: var(--added); background: var(--addedBack); }
.body .removed { color: var(--removed); background: var(--removedBack); }
.body .changed { color: var(--changed); background: var(--changedBack); }
.body blockquote { padding: 0 1em; border-left: .25em solid var(--border); color: var(--muted); }
.body summary { cursor: pointer; }
.body sub { font-size: 75%; line-height: 0; }
.body figcaption { margin-bottom: 4px; color: var(--muted); font-size: 12px; }

/* As GitHub shows it on a phone: no avatar, and little around. */
@media (max-width: 500px) {
  body { padding: 8px 8px 32px; }
  .comment { display: block; }
  .avatar { display: none; }
  .body, .summary .body { padding: 12px; }
  .head { padding: 8px 12px; }
}

.log { padding: 16px; overflow: auto; border-radius: 6px; background: #0d1117; color: #f0f6fc; font: 12px/20px var(--mono); }
.log p, .log summary { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.log summary { cursor: pointer; }
.log details p { padding-left: 2ch; }
.log .error { color: #f85149; }
.log .warning { color: #d29922; }
.log .notice { color: #4493f8; }
`;
