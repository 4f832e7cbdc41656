import { pullRequestOf } from '../../kernel/event/pull-request-source.ts';
import { traitsOf } from '../../kernel/event/table.ts';
import { type Code, type Trust, trustIn } from '../../kernel/event/trust.ts';
import { isPullRequest, type WorkflowEvent } from '../../kernel/event.ts';
import { asObject } from '../../kernel/json.ts';
import { type SafeText, safe, unsafeText } from '../../kernel/text/safe.ts';
import type { Sanitize } from '../../kernel/text/sanitize.ts';

const codes: Readonly<Record<Code, SafeText>> = {
  merged: safe`Its code is merged, or was asked for by hand.`,
  'own-branch': safe`Its code is proposed on a branch of this repository, and not merged.`,
  unknown: safe`Its code may be anybody's, and is not merged.`,
};

const starters: Readonly<Record<Trust['starter']['kind'], SafeText>> = {
  writer: safe`Only who may write to the repository, or a clock, can start it.`,
  app: safe`An app, or who may write to the repository, can start it.`,
  proposer: safe`Whoever opens a pull request can start it.`,
  speaker: safe`Whoever writes an issue, a comment or a review can start it.`,
  anybody: safe`Anybody may be able to start it.`,
};

/** The event: its name, the pull request that it is about, who can start it, and whose code it brings. */
export function describeEvent(event: WorkflowEvent, clean: Sanitize): SafeText {
  const { starter, code } = trustIn(event);
  const action = event.payload['action'];
  const done = typeof action === 'string' ? safe` (${clean(action)})` : safe``;
  const name = event.name === '' ? safe`None: this is no run of GitHub's` : clean(event.name);
  const source = pullRequestOf(event);
  const number =
    source?.kind === 'known'
      ? source.pullRequest.number
      : source?.kind === 'by-number'
        ? source.number
        : undefined;
  const about = number === undefined ? safe`` : safe`, about pull request #${number}`;
  return safe`${name}${done}${about}. ${starters[starter.kind]} ${codes[code]}`;
}

/** Where an event's commit stands, as the end of a sentence. */
export function whereCommitIs(event: WorkflowEvent): SafeText {
  const { name, payload } = event;
  if (name === 'push') {
    const ref = payload['ref'];
    const isTag = typeof ref === 'string' && ref.startsWith('refs/tags/');
    return isTag ? safe`the commit of the tag that was pushed` : safe`the head of what was pushed`;
  }
  if (name === 'workflow_run') return safe`the commit of the run that ended`;
  if (isPullRequest(event)) {
    return safe`the head of the pull request, not the merge commit that GitHub makes of it`;
  }
  const [object, field] = traitsOf(name)?.commit ?? [];
  return object === undefined || field === undefined || asObject(payload[object]) === undefined
    ? safe`the commit that GitHub runs the workflow for (GITHUB_SHA)`
    : safe`which the event names as ${unsafeText(object)}.${unsafeText(field)}`;
}
