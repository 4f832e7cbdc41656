import { isPullRequest, pullRequestOf, traitsOf, type WorkflowEvent } from '../../kernel/event.ts';
import { asObject } from '../../kernel/json.ts';
import { type SafeText, type Sanitize, safe, unsafeText } from '../../kernel/text/safe.ts';
import { type Code, type Trust, trustIn } from '../../kernel/trust.ts';

const codes: Readonly<Record<Code, SafeText>> = {
  merged: safe`The code is merged, or the run was requested manually.`,
  'own-branch': safe`The code is on a branch of this repository and not merged.`,
  unknown: safe`The code is not merged and may come from anyone.`,
};

const starters: Readonly<Record<Trust['starter']['kind'], SafeText>> = {
  writer: safe`Only users with write access, or a schedule, can start it.`,
  app: safe`Apps and users with write access can start it.`,
  proposer: safe`Anyone who opens a pull request can start it.`,
  speaker: safe`Anyone who writes an issue, a comment or a review can start it.`,
  anybody: safe`Anyone may be able to start it.`,
};

/** The event: its name, its pull request, who can start it, and whose code it is about. */
export function describeEvent(event: WorkflowEvent, clean: Sanitize): SafeText {
  const { starter, code } = trustIn(event);
  const action = event.payload['action'];
  const done = typeof action === 'string' ? safe` (${clean(action)})` : safe``;
  const name = event.name === '' ? safe`None (not a GitHub Actions run)` : clean(event.name);
  const source = pullRequestOf(event);
  const number =
    source?.kind === 'known'
      ? source.pullRequest.number
      : source?.kind === 'by-number'
        ? source.number
        : undefined;
  const about = number === undefined ? safe`` : safe` of pull request #${number}`;
  return safe`${name}${done}${about}. ${starters[starter.kind]} ${codes[code]}`;
}

/** Where an event's commit comes from, as the end of a sentence. */
export function whereCommitIs(event: WorkflowEvent): SafeText {
  const { name, payload } = event;
  if (name === 'push') {
    const ref = payload['ref'];
    const isTag = typeof ref === 'string' && ref.startsWith('refs/tags/');
    return isTag ? safe`the commit of the pushed tag` : safe`the pushed commit`;
  }
  if (name === 'workflow_run') return safe`the commit of the completed run`;
  if (isPullRequest(event)) {
    return safe`the head of the pull request, not GitHub's merge commit`;
  }
  const [object, field] = traitsOf(name)?.commit ?? [];
  return object === undefined || field === undefined || asObject(payload[object]) === undefined
    ? safe`the commit of the workflow run (GITHUB_SHA)`
    : safe`the event's ${unsafeText(object)}.${unsafeText(field)}`;
}
