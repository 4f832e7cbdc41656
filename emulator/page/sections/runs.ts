import type { JobRecord, RunRecord, StepRecord, Unstarted } from '../../workflow/run-history.ts';
import { type Html, html, trustedHtml } from '../html.ts';
import {
  duration,
  link,
  muted,
  type Part,
  pill,
  resolveIn,
  shortCommit,
  slot,
  type Tone,
  type View,
} from '../part.ts';
import { renderAnnotations, renderLines, renderText } from '../shown.ts';
import { timeOfDay } from '../terminal-line.ts';

/** How many runs the list shows, and how many lines of a step, the latest ones. */
const shown = { runs: 20, lines: 2000 } as const;

/** The list of the runs, and of the events that started none. */
export function runListParts(view: View): Part[] {
  const { history } = view;
  if (history === undefined) return [];
  return [{ id: 'run-list', slot: 'runs', render: () => renderList(view, history.runs) }];
}

const looks: Readonly<Record<string, readonly [mark: string, word: string, tone: Tone]>> = {
  success: ['✓', 'success', 'good'],
  failure: ['✗', 'failure', 'bad'],
  cancelled: ['⊘', 'cancelled', 'plain'],
  replaced: ['⊘', 'cancelled: a newer run took its place', 'plain'],
  skipped: ['⊘', 'skipped', 'plain'],
  neutral: ['■', 'neutral: not all was played', 'plain'],
  'not-played': ['–', 'not played', 'plain'],
  waiting: ['●', 'waiting', 'busy'],
  running: ['●', 'in progress', 'busy'],
};

type Shown = Pick<RunRecord, 'startedAt' | 'endedAt'> & { conclusion: string | null };

const lookOf = ({ conclusion }: Shown) => looks[conclusion ?? 'running'] ?? ['', '', 'plain'];

/** A sign for how something ended, with its word for those who hear the page. */
function mark(one: Shown): Html {
  const [sign, word, tone] = lookOf(one);
  return html`<span class="mark ${tone}" aria-hidden="true">${sign}</span><span class="unseen">${word}</span>`;
}

function state(record: RunRecord): Html {
  const isWaiting = record.endedAt === null && record.jobs.length === 0;
  const [, word, tone] = lookOf(isWaiting ? { ...record, conclusion: 'waiting' } : record);
  return pill(word, tone);
}

const took = ({ startedAt, endedAt }: Shown, now: number): string =>
  duration((endedAt ?? now) - startedAt);

/** The pieces of what started a run: `push`, `pull_request.opened`, and where. */
function causeOf({ run: { event } }: RunRecord, { github }: View): Html {
  const { name, payload, ref, sha, actor, repository } = event;
  const action = typeof payload['action'] === 'string' ? `.${payload['action']}` : '';
  const place = ref.replace(/^refs\/(?:heads|tags|pull)\//, '');
  const commit = link(`${github.url}/${repository}/commit/${sha}`, shortCommit(sha));
  return html`${name}${action} · <code>${place}</code> ${commit} · ${actor}`;
}

const annotationsOf = ({ jobs }: RunRecord) =>
  jobs.flatMap(({ steps }) => steps.flatMap(({ annotations }) => annotations));

/** How many annotations a run has of each level: `1 error, 2 warnings`. */
function countsOf(record: RunRecord): string {
  const all = Map.groupBy(annotationsOf(record), ({ level }) => level);
  return (['error', 'warning', 'notice'] as const)
    .map((level) => [level, all.get(level)?.length ?? 0] as const)
    .filter(([, count]) => count > 0)
    .map(([level, count]) => `${count} ${level}${count === 1 ? '' : 's'}`)
    .join(', ');
}

function renderList(view: View, runs: readonly RunRecord[]): Html {
  const rows = runs.slice(-shown.runs).reverse();
  const more = runs.length - shown.runs;
  const { unstarted = [] } = view.history ?? {};
  return html`<section id="run-list" class="card">
${
  rows.length === 0
    ? muted(
        'No runs yet. Push a commit that has .github/workflows: the terminal shows the command.',
      )
    : html`<ul class="rows">${rows.map((one) => renderRow(view, one))}</ul>`
}${more > 0 && muted(`${more} earlier runs not shown.`)}${
  unstarted.length > 0 &&
  html`<details class="row"><summary>Events that started no run <span class="count">${unstarted.length}</span></summary><ul class="rows">${unstarted.toReversed().map(renderUnstarted)}</ul></details>`
}</section>`;
}

function renderRow(view: View, record: RunRecord): Html {
  const { run, jobs, startedAt } = record;
  const counts = countsOf(record);
  const names = jobs.map((job) => html` ${mark(job)} ${job.name}`);
  return html`<li id="run-${run.id}"><div class="facts">${state(record)} <a href="/runs/${run.id}"><b>${run.name}</b> #${run.number}</a> <span class="right muted">${timeOfDay(startedAt)} · ${took(record, view.now)}</span></div>
<p class="muted">${causeOf(record, view)}</p>
<p class="muted">${names}${counts && ` · ${counts}`}</p></li>`;
}

const renderUnstarted = ({ at, event, reasons }: Unstarted): Html =>
  html`<li><p><span class="muted">${timeOfDay(at)}</span> ${event ? html`${event.name} of <code>${event.ref}</code> ${shortCommit(event.sha)}` : 'A workflow file has a mistake'}</p>${reasons.map((reason) => html`<p class="muted">${reason}</p>`)}</li>`;

/** The page of one run: its state, annotations and summaries, and the logs of its jobs. */
export function runParts(view: View, record: RunRecord): Part[] {
  const jobs = record.jobs.flatMap((job, index): Part[] => {
    const id = `job-${index}`;
    const steps = job.steps.map(
      (step, number): Part => ({
        id: `${id}-step-${number}`,
        slot: `${id}-parts`,
        render: () => renderStep(step, `${id}-step-${number}`, view),
      }),
    );
    return [
      { id, slot: 'run', render: (inner) => renderJob(job, id, inner as Html[], view) },
      ...steps,
    ];
  });
  return [
    { id: 'run-head', slot: 'run', render: () => renderHead(record, view) },
    { id: 'run-report', slot: 'run', render: () => renderReport(record, view) },
    ...jobs,
  ];
}

function renderHead(record: RunRecord, view: View): Html {
  const { run, jobs, startedAt } = record;
  const left = jobs.filter(({ notPlayed }) => notPlayed.length > 0);
  return html`<section id="run-head">
<h2>${run.name} #${run.number}</h2>
<p class="facts">${state(record)} <span class="muted">${causeOf(record, view)}</span></p>
<p class="muted">${run.event.repository} · ${run.file} · started ${timeOfDay(startedAt)} · took ${took(record, view.now)} · <a href="/runs/${run.id}/log.txt">Raw log</a></p>
${record.notPlayed.length > 0 && html`<p>Neutral, because a step of this action was not played: ${record.notPlayed.join('; ')}</p>`}
${left.map(({ name, notPlayed }) => html`<p class="muted">Not played of ${name}: ${notPlayed.join('; ')}</p>`)}</section>`;
}

const summaries = new WeakMap<StepRecord, Html>();

/** The summary of a step, made once: it comes with the step's end. */
function summaryOf(step: StepRecord, view: View): Html {
  const made =
    summaries.get(step) ??
    renderText(step.summary, { breaks: false, resolve: (href) => resolveIn(view, href) });
  if (step.endedAt !== null) summaries.set(step, made);
  return made;
}

function renderReport(record: RunRecord, view: View): Html {
  const annotations = annotationsOf(record);
  const boxes = record.jobs.flatMap((job) =>
    job.steps
      .filter(({ summary }) => summary !== '')
      .map(
        (step) =>
          html`<section class="box summary"><div class="head"><b>${job.name}</b> summary</div><div class="body">${summaryOf(step, view)}</div></section>`,
      ),
  );
  const isOver = record.endedAt !== null;
  return html`<section id="run-report">
${annotations.length > 0 && html`<h3>Annotations <span class="count">${annotations.length}</span></h3>${renderAnnotations(annotations)}`}
<h3 id="summary">Summary</h3>
${boxes.length > 0 ? boxes : muted(isOver ? 'No step wrote a summary.' : 'A step writes its summary at its end.')}</section>`;
}

function renderJob(job: JobRecord, id: string, inner: readonly Html[], { now }: View): Html {
  return html`<article id="${id}" class="card job">
<header>${mark(job)} <h3>${job.name}</h3> <span class="right muted">${job.conclusion ?? 'in progress'} · ${took(job, now)}</span></header>
${slot(`${id}-parts`, inner)}${job.steps.length === 0 && muted(job.endedAt === null ? 'Waiting for its first step.' : 'No step ran.')}</article>`;
}

const reasonForLeaving =
  "The emulator plays this action's steps and actions/checkout; with --run-steps, run: steps too.";

function renderStep(step: StepRecord, id: string, { now }: View): Html {
  const { title, lines, conclusion } = step;
  const name = html`${mark(step)} <span class="title">${title}</span>`;
  const why = conclusion === 'not-played' ? reasonForLeaving : 'Its condition is false.';
  if (lines.length === 0 && (conclusion === 'not-played' || conclusion === 'skipped'))
    return html`<div id="${id}" class="step">${name} <span class="muted">${why}</span></div>`;
  const open = conclusion === 'failure' || conclusion === null ? trustedHtml(' open') : null;
  const cut = lines.length - shown.lines;
  return html`<details id="${id}" class="row step"${open}><summary>${name} <span class="right muted">${took(step, now)}</span></summary>
${cut > 0 && muted(`The first ${cut} lines are in the raw log.`)}${renderLines(lines.slice(-shown.lines))}</details>`;
}

/** The log of a run as text: nothing in it moves a cursor. */
export const rawLog = ({ jobs }: RunRecord): string[] =>
  jobs.flatMap(({ name, steps }) =>
    steps.flatMap(({ title, lines }) => [
      `${name} / ${title}`,
      ...lines.map((line) => `  ${line}`),
    ]),
  );
