import {
  type Comment,
  type Deployment,
  type Issue,
  numberOf,
  type PullRequest,
} from '../../github/index.ts';
import { type Html, html, printable } from '../html.ts';
import {
  button,
  hidden,
  link,
  muted,
  noticeAt,
  type Part,
  pill,
  resolveIn,
  shortCommit,
  slot,
  type Tone,
  type View,
} from '../part.ts';
import { renderText } from '../shown.ts';
import { timeOfDay } from '../terminal-line.ts';

/** How many deployments of a repository are shown, the latest ones. */
const shown = 10;

/** The repositories: each with its pull requests, their comments, its issues, and its deployments. */
export function gitHubParts(view: View): Part[] {
  const { github } = view;
  return github.repositories().flatMap((repository) => {
    const id = `repository-${numberOf(repository)}`;
    const within = { slot: `${id}-parts` };
    const pulls: Part[] = pullRequestsOf(view, repository).map((one) => {
      const pullId = `pull-${numberOf(`${repository}#${one.number}`)}`;
      return {
        id: pullId,
        slot: `${id}-pulls-parts`,
        render: () => renderPullRequest(view, repository, one, pullId),
      };
    });
    const issues: Part[] = github.issues.of(repository).map((one) => {
      const issueId = `issue-${numberOf(`${repository}#${one.number}`)}`;
      return {
        id: issueId,
        slot: `${id}-issues-parts`,
        render: () => renderIssue(view, repository, one, issueId),
      };
    });
    return [
      { id, slot: 'github', render: (inner) => renderRepository(repository, id, inner as Html[]) },
      {
        id: `${id}-pulls`,
        ...within,
        render: (inner) => renderPullRequests(view, repository, `${id}-pulls`, inner as Html[]),
      },
      {
        id: `${id}-issues`,
        ...within,
        render: (inner) => renderIssues(issues.length, `${id}-issues`, inner as Html[]),
      },
      {
        id: `${id}-deployments`,
        ...within,
        render: () => renderDeployments(view, repository, `${id}-deployments`),
      },
      ...pulls,
      ...issues,
    ] satisfies Part[];
  });
}

function pullRequestsOf({ github }: View, repository: string): PullRequest[] {
  const keys = [...github.pullRequests].filter(([key]) => key.startsWith(`${repository}#`));
  return keys.map(([, one]) => one).sort((a, b) => a.number - b.number);
}

const renderRepository = (repository: string, id: string, inner: readonly Html[]): Html =>
  html`<article id="${id}" class="card">
<header><h3>${repository}</h3></header>
${slot(`${id}-parts`, inner)}</article>`;

function renderPullRequests(
  view: View,
  repository: string,
  id: string,
  inner: readonly Html[] | null,
): Html {
  const { length } = pullRequestsOf(view, repository);
  return html`<section id="${id}">
<h4>Pull requests <span class="count">${length}</span></h4>
${length === 0 && muted(`None. ${hint(view, repository)}`)}
${slot(`${id}-parts`, inner)}${renderOpening(view, repository, id)}${noticeAt(view, id)}</section>`;
}

/** The branches that a pull request can be opened of. */
function branchesOf({ github }: View, repository: string): string[] {
  const base = github.defaultBranch(repository);
  return [...github.refs.keys()]
    .filter((key) => key.startsWith(`${repository}@`))
    .map((key) => key.slice(repository.length + 1))
    .filter((branch) => branch !== base && !branch.startsWith('refs/'));
}

/** How there would be a pull request. */
function hint(view: View, repository: string): string {
  if (branchesOf(view, repository).length > 0) return 'Open one from a branch.';
  return view.history === undefined
    ? 'With --repo, you can open one of your own repository.'
    : 'Push a branch, then open one here.';
}

/** The form that opens a pull request, where there is a branch to open one of. */
function renderOpening(view: View, repository: string, place: string): Html | null {
  const branches = branchesOf(view, repository);
  if (branches.length === 0) return null;
  return html`<form method="post" action="/actions/open-pull-request" class="line">${hidden({ token: view.token, place, repository: String(numberOf(repository)) })}
<label>Branch <select name="head">${branches.map((branch) => html`<option>${branch}</option>`)}</select></label>
<label>Title <input name="title" maxlength="256" autocomplete="off"></label>
<button>Open a pull request</button></form>`;
}

function stateOf({ state, merged_at }: PullRequest): readonly [word: string, tone: Tone] {
  if (typeof merged_at === 'string') return ['merged', 'plain'];
  return state === 'open' ? ['open', 'good'] : ['closed', 'bad'];
}

function renderPullRequest(
  view: View,
  repository: string,
  pullRequest: PullRequest,
  id: string,
): Html {
  const { number, head, base, user, state, merged_at } = pullRequest;
  const title = pullRequest['title'];
  const named = typeof title === 'string' ? title : `Change ${number}`;
  const from = head.repo === null || head.repo.full_name === repository ? '' : head.repo.full_name;
  const fields = { place: id, repository: String(numberOf(repository)), number: String(number) };
  const [action, label] =
    state === 'open' ? ['close-pull-request', 'Close'] : ['reopen-pull-request', 'Reopen'];
  const comments = view.github.comments(repository, number);
  const isMerged = typeof merged_at === 'string';
  return html`<div id="${id}" class="pull">
<div class="facts">${pill(...stateOf(pullRequest))} <b>${printable(named, 200)}</b> <span class="muted">#${number} by ${user?.login ?? 'octocat'}</span> <span class="right">${!isMerged && button(view, action, fields, label, `pull request ${number}`)}</span>${noticeAt(view, id)}</div>
<p class="muted"><code>${from && `${from}:`}${head.ref}</code> ${shortCommit(head.sha)} → <code>${base.ref}</code></p>
${comments.map((one) => renderComment(view, one))}</div>`;
}

const renderIssues = (count: number, id: string, inner: readonly Html[]): Html =>
  html`<section id="${id}">
<h4>Issues <span class="count">${count}</span></h4>
${count === 0 && muted('None. A drift report opens one, with drift-issue: true and the permission issues: write.')}
${slot(`${id}-parts`, inner)}</section>`;

function renderIssue(view: View, repository: string, issue: Issue, id: string): Html {
  const { number, author, title, state, reason, closedBy } = issue;
  const fields = { place: id, repository: String(numberOf(repository)), number: String(number) };
  const [action, label] = state === 'open' ? ['close-issue', 'Close'] : ['reopen-issue', 'Reopen'];
  const tone = state === 'open' ? 'good' : 'plain';
  const how = closedBy === null ? '' : ` · closed by ${closedBy} as ${reason}`;
  return html`<div id="${id}" class="pull">
<div class="facts">${pill(state, tone)} <b>${printable(title, 200)}</b> <span class="muted">#${number} by ${author}${how}</span> <span class="right">${button(view, action, fields, label, `issue ${number}`)}</span>${noticeAt(view, id)}</div>
<section class="box"><div class="body">${contentOf(view, issue)}</div></section>
${view.github.comments(repository, number).map((one) => renderComment(view, one))}</div>`;
}

/** What was rendered of a comment or an issue, for as long as it says the same. */
const rendered = new WeakMap<Comment | Issue, { body: string; content: Html }>();

function contentOf(view: View, comment: Comment | Issue): Html {
  const body = comment.body ?? '';
  const known = rendered.get(comment);
  if (known?.body === body) return known.content;
  const content = renderText(body, { breaks: true, resolve: (href) => resolveIn(view, href) });
  rendered.set(comment, { body, content });
  return content;
}

function renderComment(view: View, comment: Comment): Html {
  const { id, user, created_at, updated_at } = comment;
  const edited = updated_at === created_at ? '' : ` · edited ${timeOfDay(Date.parse(updated_at))}`;
  const [login = '', bot] = user.login.split('[');
  return html`<section id="comment-${id}" class="box">
<div class="head"><b>${login}</b>${bot !== undefined && html` <i>bot</i>`} commented ${timeOfDay(Date.parse(created_at))}${edited}</div>
<div class="body">${contentOf(view, comment)}</div></section>`;
}

const tones: Readonly<Record<string, Tone>> = {
  success: 'good',
  failure: 'bad',
  error: 'bad',
  inactive: 'plain',
};

function renderDeployments(view: View, repository: string, id: string): Html {
  const deployments = view.github.deployments(repository);
  const rows = deployments
    .slice(-shown)
    .reverse()
    .map((one) => renderDeployment(view, one));
  const more = deployments.length - shown;
  return html`<section id="${id}">
<h4>Deployments <span class="count">${deployments.length}</span></h4>
${rows.length === 0 ? muted('None. A run that deploys creates one, with the permission deployments: write.') : html`<ul class="rows">${rows}</ul>`}${more > 0 && muted(`${more} earlier deployments not shown.`)}</section>`;
}

function renderDeployment(view: View, deployment: Deployment): Html {
  const { id, environment, ref, sha, statuses, created_at } = deployment;
  const last = statuses.at(-1);
  const state = last?.state ?? 'no status yet';
  const words = statuses.map((status) => status.state).join(' → ');
  const url = last?.environment_url ?? '';
  const log = last?.log_url ?? '';
  return html`<li id="github-deployment-${id}"><div class="facts">${pill(state, tones[state] ?? 'busy')} <b>${environment}</b> ${shortCommit(sha)} ${ref !== sha && html`<span class="muted">${ref}</span>`} <span class="right muted">${timeOfDay(Date.parse(created_at))}</span></div>
${last && html`<p class="muted">${last.description && html`${last.description} · `}${words}${url && html` · ${link(resolveIn(view, url), 'environment')}`}${log && html` · ${link(log, 'log')}`}</p>`}</li>`;
}
