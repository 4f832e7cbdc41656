import { theme } from '../../emulator/page/github-style.ts';
import { escapeHtml, showInvisible } from '../../emulator/page/html.ts';
import { renderText } from '../../emulator/page/shown.ts';
import type { RunOptions } from '../../emulator/runner.ts';
import type { Shown } from '../page/page.ts';
import { playScene } from './play-scene.ts';
import { scenes } from './scenes.ts';

/** The picture's width in pixels, and after how many seconds it stands still, as it does at once with reduced motion. */
const width = 680;
const duration = 10;

/** The height of a row, and how many characters fit in it, whatever the font. */
const forms = {
  log: { height: 20, columns: 76 },
  heading: { height: 27, columns: 60 },
  text: { height: 23, columns: 84 },
} as const;

interface Line {
  form: keyof typeof forms;
  /** SVG. */
  content: string;
  /** The next line replaces it, after three times as long. */
  isReplaced?: true;
}

interface Job {
  title: string;
  /** Where its lines are read. */
  place: 'log' | 'comment' | 'summary';
  lines: readonly Line[];
}

/** The lines of a deployment's log after its inputs, with groups folded and ids cut. */
const logLines = ({ log }: Shown): Line[] =>
  log
    .filter((line) => /^(?:▾ Variables|Pushed|Deployment|Check|Production| +[\d.]+s )/.test(line))
    .map((line) => line.replace(/^▾/, '▸').replace(/\b([0-9a-f]{7})[0-9a-f]{33}\b/g, '$1'))
    .map((line) => line.replace(/\b([0-9a-f]{8})-[0-9a-f-]{27}\b/g, '$1…'))
    .map((line) => ({ form: 'log', content: escapeHtml(showInvisible(line)) }));

/** The headings and paragraphs of a comment or a summary, up to the first table, code block or folded part. */
function markdownLines(text: string): Line[] {
  const [open = ''] = renderText(text, { breaks: true })
    .toString()
    .split(/<(?:table|pre|details)/);
  return [...open.matchAll(/<(h\d|p)>(.*?)<\/\1>/gs)].map(([, tag, html = '']) => ({
    form: tag === 'p' ? 'text' : 'heading',
    content: html
      .replace(/<(?!\/?(?:a|code)\b)[^>]*>/g, '')
      .replace(/<(a|code)[^>]*>/g, '<tspan class="$1">')
      .replace(/<\/\w+>/g, '</tspan>'),
  }));
}

/** The rows of a line. A link or code is not divided. */
function wrap({ form, content }: Line): string[] {
  const rows: string[] = [];
  for (const word of content.match(/ *(?:<tspan.*?<\/tspan>|[^ ])+/g) ?? []) {
    const row = `${rows.at(-1) ?? ''}${word}`;
    const { length } = row.replace(/<[^>]*>/g, '').replace(/&#?\w+;/g, '·');
    if (rows.length > 0 && length > forms[form].columns) rows.push(word.trimStart());
    else rows.splice(-1, 1, row);
  }
  return rows;
}

/** The jobs below each other. Their lines appear one after the other. */
function draw(jobs: readonly Job[]): string {
  const all = jobs.flatMap(({ lines }) => lines);
  const step = duration / (all.length + 2 * all.filter(({ isReplaced }) => isReplaced).length);
  const parts: string[] = [];
  let seconds = 0;
  let y = -10;
  for (const { title, place, lines } of jobs) {
    const top = y + 10.5;
    y += 35;
    const head = `<text x="16" y="${y}"><tspan class="title">${title}</tspan> · ${place}</text>`;
    y += 5;
    const rows: string[] = [];
    for (const line of lines) {
      const start = y;
      const style = `class="${line.form}${line.isReplaced ? ' replaced' : ''}" style="animation-delay: ${seconds.toFixed(1)}s"`;
      for (const row of wrap(line)) {
        y += forms[line.form].height;
        rows.push(`<text xml:space="preserve" x="16" y="${y}" ${style}>${row}</text>`);
      }
      if (line.isReplaced) y = start;
      seconds += line.isReplaced ? 3 * step : step;
    }
    y += 17;
    const frame = `<rect x="0.5" y="${top}" width="${width - 1}" height="${y - 0.5 - top}" rx="6"/>`;
    parts.push(`<g class="in-${place}">`, frame, head, ...rows, '</g>');
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y}" viewBox="0 0 ${width} ${y}">
<title>A push, a pull request and a schedule</title>
<style>${theme}
.in-log { color-scheme: dark; }
rect { fill: var(--canvas); stroke: var(--border); }
text { font: 15px var(--sans); fill: var(--muted); }
.title { font-weight: 600; }
.log { font: 13.5px var(--mono); }
.heading { font-size: 18px; font-weight: 600; }
.title, .log, .heading, .text { fill: var(--text); }
.a { fill: var(--link); }
.code { font: 85% var(--mono); }
.replaced { opacity: 0; }
@media (prefers-reduced-motion: no-preference) {
  .log, .heading, .text { animation: appear 0.3s both; }
  .replaced { animation: pass ${(3 * step).toFixed(1)}s; }
}
@keyframes appear { from { opacity: 0; } }
@keyframes pass { from, to { opacity: 1; } }
</style>
${parts.join('\n')}
</svg>
`;
}

/**
 * Plays the three main jobs through `dist/`, and draws what they print as an SVG, which moves without a script.
 *
 * @param launch how the steps' scripts are started, if not in processes of their own
 */
export async function drawThreeJobs(launch?: RunOptions['launch']): Promise<string> {
  const play = async (name: string): Promise<Shown> => {
    const scene = scenes.find((one) => one.name === name);
    if (scene === undefined) throw new Error(`there is no scene ${name}`);
    return await playScene(scene, launch);
  };
  const [push, deploying, live, drift] = await Promise.all([
    play('production-slow'),
    play('preview-deploying'),
    play('preview-live'),
    play('env-drift'),
  ]);
  const before = markdownLines(deploying.comments.join('\n')).slice(0, 1);
  const comment = [
    ...before.map((line) => ({ ...line, isReplaced: true as const })),
    ...markdownLines(live.comments.join('\n')),
  ];
  return draw([
    { title: 'A push to main', place: 'log', lines: logLines(push) },
    { title: 'A pull request', place: 'comment', lines: comment },
    { title: 'A schedule', place: 'summary', lines: markdownLines(drift.summary) },
  ]);
}
