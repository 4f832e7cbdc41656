import type { StoredVariable } from '../../index.ts';
import type { Deployment } from '../../service/deployments.ts';
import type { Project } from '../../service/project.ts';
import type { Turn } from '../../service/turns/turn.ts';
import { type Html, html, printable } from '../html.ts';
import {
  button,
  duration,
  hidden,
  link,
  muted,
  noticeAt,
  type Part,
  pill,
  shortCommit,
  slot,
  type Tone,
  type View,
} from '../part.ts';
import { timeOfDay } from '../terminal-line.ts';

/** How many deployments and messages of a project are shown, the latest ones. */
const shown = 10;

/** How many variables are shown without being unfolded. */
const unfolded = 12;

const idOf = ({ id }: Project): string => `project-${id}`;

/** The projects: each with its deployments, its variables and its messages. */
export function projectParts(view: View): Part[] {
  return view.emulator.world.projects.flatMap((project) => {
    const id = idOf(project);
    const within = { slot: `${id}-parts` };
    return [
      { id, slot: 'projects', render: (inner) => renderProject(view, project, inner as Html[]) },
      { id: `${id}-deployments`, ...within, render: () => renderDeployments(view, project) },
      { id: `${id}-variables`, ...within, render: () => renderVariables(view, project) },
      { id: `${id}-messages`, ...within, render: () => renderMessages(view, project) },
    ] satisfies Part[];
  });
}

function renderProject(view: View, project: Project, inner: readonly Html[]): Html {
  const { id, name, siteUrl, failsNextBuild } = project;
  const next = failsNextBuild
    ? html`${pill('The next build fails', 'bad')} ${button(view, 'let-next-build-succeed', { project: id, place: idOf(project) }, 'Let it succeed', `for ${name}`)}`
    : button(
        view,
        'fail-next-build',
        { project: id, place: idOf(project) },
        'Fail the next build',
        `of ${name}`,
      );
  return html`<article id="${idOf(project)}" class="card">
<header><h3>${name}</h3> ${link(siteUrl, 'Open')} <code class="id">${id}</code> <span class="right">${next}</span>${noticeAt(view, idOf(project))}</header>
${slot(`${idOf(project)}-parts`, inner)}</article>`;
}

function toneOf({ status, endedAt }: Deployment | Turn, success: string): Tone {
  if (endedAt === null) return 'busy';
  return status === success ? 'good' : 'bad';
}

/** What is not shown of a list that is cut to its end. */
const earlier = (count: number, what: string): Html | null =>
  count > shown ? muted(`${count - shown} earlier ${what} not shown.`) : null;

function renderDeployments(view: View, project: Project): Html {
  const { deployments } = project;
  const { success } = view.emulator.dialect.deploymentWords;
  const live = deployments.findLast(({ status }) => status === success);
  const rows = deployments
    .slice(-shown)
    .reverse()
    .map((one) => renderDeployment(view, one, one === live, one === deployments.at(-1)));
  return html`<section id="${idOf(project)}-deployments">
<h4>Deployments</h4>
${rows.length === 0 ? muted('None. A deploy of this project creates one.') : rows}${earlier(deployments.length, 'deployments')}</section>`;
}

function renderDeployment(
  { now, emulator }: View,
  deployment: Deployment,
  isLive: boolean,
  isOpen: boolean,
): Html {
  const { id, commit, status, createdAt, endedAt } = deployment;
  const tone = toneOf(deployment, emulator.dialect.deploymentWords.success);
  const time = duration((endedAt ?? now) - createdAt);
  // The browser keeps what a person folds: this is only how it begins.
  const open = isOpen ? html` open` : null;
  return html`<details id="deployment-${id}" class="row"${open}>
<summary>${pill(status, tone)} ${shortCommit(commit)} ${isLive && html`<span class="tag">live</span>`} <span class="right muted">${timeOfDay(createdAt)} · ${time}</span></summary>
<pre class="log" tabindex="0" aria-label="Build log">${logOf(deployment)}</pre>
</details>`;
}

/** The build log: each status with the time since the beginning, and the lines between them. */
function logOf({ events, history, createdAt }: Deployment): Html[] {
  let seen = 0;
  return events.map((event) => {
    if (event.kind === 'log') {
      const tone = /^(error|warning)\b/i.exec(event.line)?.[1]?.toLowerCase() ?? '';
      return html`<span class="${tone}">  ${oneLine(event.line)}</span>\n`;
    }
    if (event.kind === 'step') return html`<span>  ${oneLine(event.name)}: completed</span>\n`;
    const at = history[seen]?.at ?? createdAt;
    seen += 1;
    return html`<span class="status">${oneLine(event.status)} <i>${duration(at - createdAt)}</i></span>\n`;
  });
}

const oneLine = (text: string): string => printable(text).replace(/\s+/g, ' ');

const targetsOf = ({ preview, production }: StoredVariable): string =>
  [preview && 'preview', production && 'production'].filter(Boolean).join(', ') || 'none';

function renderVariable(variable: StoredVariable): Html {
  const { id, name, kind, version } = variable;
  return html`<tr id="variable-${id}"><td><code>${name}</code></td><td>${kind}</td><td>${targetsOf(variable)}</td><td class="number">${version}</td></tr>`;
}

function renderVariables(view: View, project: Project): Html {
  const { variables, environment } = project;
  const id = idOf(project);
  const waiting = (['preview', 'production'] as const).filter(
    (target) => environment.runtime(target).outdated,
  );
  const state =
    waiting.length > 0 &&
    pill(`${waiting.join(' and ')}: in use after the next deployment`, 'busy');
  const open = variables.length <= unfolded ? html` open` : null;
  const table =
    variables.length > 0 &&
    html`<div class="scroll"><table><thead><tr><th scope="col">Name</th><th scope="col">Kind</th><th scope="col">Targets</th><th scope="col" class="number">Version</th></tr></thead><tbody>${variables.map(renderVariable)}</tbody></table></div>`;
  return html`<section id="${id}-variables">
<h4>Variables <span class="count">${variables.length}</span> ${state}</h4>
${variables.length > 0 && html`<details class="row"${open}><summary>Names, kinds, targets and versions</summary>${table}</details>`}
<form method="post" action="/actions/change-variable" class="line">${hidden({ token: view.token, place: `${id}-variables`, project: project.id })}
<label>Name <input name="name" required maxlength="256" autocomplete="off" spellcheck="false" list="${id}-names"></label>
<datalist id="${id}-names">${variables.map(({ name }) => html`<option value="${name}"></option>`)}</datalist>
<label>Value <input name="value" type="password" autocomplete="new-password" placeholder="an invented one"></label>
<button>Change by hand<span class="unseen"> in ${project.name}</span></button>
<button formaction="/actions/delete-variable">Delete<span class="unseen"> in ${project.name}</span></button></form>
${noticeAt(view, `${id}-variables`)}
</section>`;
}

function textOf({ events }: Turn): string {
  const pieces = events.map((event) => (event.kind === 'text' ? event.text : ''));
  return pieces.join('');
}

function renderMessage({ emulator, now }: View, turn: Turn): Html {
  const { id, prompt, status, createdAt, endedAt, commit } = turn;
  const tone = toneOf(turn, emulator.dialect.messageWords.success);
  const text = textOf(turn);
  return html`<li id="message-${id}"><div class="facts">${pill(status, tone)} <b>${printable(prompt, 300)}</b> <span class="right muted">${timeOfDay(createdAt)} · ${duration((endedAt ?? now) - createdAt)}</span></div>
${text !== '' && html`<p class="reply">${text}</p>`}${commit !== null && html`<p class="muted">Commit ${shortCommit(commit)}</p>`}</li>`;
}

function renderMessages(view: View, project: Project): Html {
  const { turns } = project.turns;
  const rows = turns.slice(-shown).reverse();
  const list =
    turns.length > 0 &&
    html`<h4>Messages <span class="count">${turns.length}</span></h4><ul class="rows">${rows.map((turn) => renderMessage(view, turn))}</ul>${earlier(turns.length, 'messages')}`;
  return html`<section id="${idOf(project)}-messages">${list}</section>`;
}
