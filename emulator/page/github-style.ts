/** Colors of GitHub's two themes, light and dark. */
const colors = {
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
  success: ['#1a7f37', '#3fb950'],
  hunk: ['#8250df', '#d2a8ff'],
  added: ['#116329', '#aff5b4'],
  addedBack: ['#dafbe1', '#033a16'],
  removed: ['#82071e', '#ffdcd7'],
  removedBack: ['#ffebe9', '#67060c'],
  changed: ['#953800', '#ffdfb6'],
  changedBack: ['#ffd8b5', '#5a1e02'],
} as const;

const variables = Object.entries(colors)
  .map(([name, [light, dark]]) => `  --${name}: light-dark(${light}, ${dark});`)
  .join('\n');

/** GitHub's colors and fonts in both themes, as custom properties. */
export const theme = `
:root {
  color-scheme: light dark;
${variables}
  --sans: -apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif,
    "Apple Color Emoji", "Segoe UI Emoji", "Noto Color Emoji";
  --mono: ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace;
}
`;

/** How GitHub shows Markdown. */
export const markdownStyle = `
.body { padding: 16px; overflow-wrap: break-word; }
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
`;

/** GitHub's names of the colors of a log, and the bright ones. */
const logColors = {
  black: ['#656c76', '#9198a1'],
  red: ['#ff7b72', '#ffa198'],
  green: ['#3fb950', '#56d364'],
  yellow: ['#d29922', '#e3b341'],
  blue: ['#58a6ff', '#79c0ff'],
  magenta: ['#bc8cff', '#d2a8ff'],
  cyan: ['#39c5cf', '#56d4dd'],
  white: ['#b1bac4', '#ffffff'],
} as const;

const logColorRules = Object.entries(logColors)
  .flatMap(([name, [usual, bright]]) => [
    `.lines .${name} { color: ${usual}; }`,
    `.lines .bright-${name} { color: ${bright}; }`,
    `.lines .on-${name} { background: ${usual}; color: #0d1117; }`,
    `.lines .on-bright-${name} { background: ${bright}; color: #0d1117; }`,
  ])
  .join('\n');

/** How GitHub shows a run: its annotations, and its log, which is dark in both themes. */
export const runStyle = `
.annotations { margin: 0; padding: 0; list-style: none; border: 1px solid var(--border); border-radius: 6px; }
.annotations li { padding: 12px 16px 12px 40px; position: relative; }
.annotations li + li { border-top: 1px solid var(--border); }
.annotations li::before { content: ""; position: absolute; left: 16px; top: 17px; width: 12px; height: 12px; border-radius: 50%; }
.annotations .error::before { background: var(--error); }
.annotations .warning::before { background: var(--warning); }
.annotations .notice::before { background: var(--notice); }
.annotations strong { display: block; font-weight: 600; overflow-wrap: anywhere; }
.annotations span { overflow-wrap: anywhere; font-size: 13px; }
.lines { padding: 16px; overflow: auto; border: 1px solid var(--border); border-radius: 6px; background: #0d1117; color: #f0f6fc; font: 12px/20px var(--mono); }
.lines p, .lines summary { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.lines summary { cursor: pointer; }
.lines details p { padding-left: 2ch; }
.lines .error { color: #f85149; }
.lines .warning { color: #d29922; }
.lines .notice { color: #4493f8; }
.lines .bold { font-weight: 700; }
.lines .faint { opacity: .6; }
.lines .italic { font-style: italic; }
.lines .underlined { text-decoration: underline; }
${logColorRules}
`;
