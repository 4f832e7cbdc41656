import type { Declared } from '../../declared/declared.ts';
import { explainWork, knownOutputs } from '../../deploy/explain.ts';
import type { DeployValues } from '../../deploy/inputs.ts';
import type { Job } from '../../deploy/job.ts';
import { jobFor, jobOfEvent, notesOf } from '../../deploy/read-job.ts';
import { subjectOfStep } from '../../deploy/recording-plan.ts';
import type { QueriedSource } from '../../kernel/event.ts';
import { joinSafe, type SafeText, type Sanitize, safe } from '../../kernel/text/safe.ts';
import { does, type Explanation, needsOf, type Row } from '../../report/explanation.ts';
import type { ExplainedResult } from '../../step/end-step.ts';
import { isRefused } from '../../step/skip.ts';
import type { Step } from '../../step/step.ts';
import { endExplained, explainRefused } from './explained.ts';

/** A possible response of GitHub, and the job that follows. */
interface Answer {
  when: 'open' | 'closed' | 'none';
  job: Job;
}

/**
 * Explains what a deploy run would do, or why it would be skipped or fail, from the same job as a run. Where GitHub's
 * response decides, the job of each possible response is read.
 */
export function explainDeployStep(
  step: Step<DeployValues>,
  declared: Declared,
  clean: Sanitize,
): ExplainedResult {
  const { can, comments, serverUrl } = step.context;
  const abilities = {
    records: can.recordsDeployments,
    comments: can.readsPullRequests || comments !== undefined,
    readsState: can.readsPullRequests || comments?.isClosed !== undefined,
  };
  const explain = (one: Job) =>
    isRefused(one)
      ? explainRefused(one, step, clean)
      : explainWork(one, { declared, serverUrl, can: abilities, clean });
  const first = jobOfEvent(step, declared);
  let job: Job;
  let explanation: Explanation;
  if (first.kind === 'question') {
    const { source, pull, without } = first;
    const answers: [Answer, ...Answer[]] = [
      { when: 'open', job: jobFor(step, declared, { ...pull, isOpen: true }) },
      { when: 'closed', job: jobFor(step, declared, { ...pull, isOpen: false }) },
    ];
    // Without a commit that must be at its head, any pull request that GitHub returns is the right one.
    if (source.head !== undefined) answers.push({ when: 'none', job: without });
    const main = mainOf(answers);
    job = main.job;
    explanation = explainAnswers(source, answers, main, { explain, clean });
  } else {
    job = first;
    explanation = explain(first);
  }
  const needsKey = first.kind !== 'skip';
  const ended = endExplained(step, subjectOfStep(step), explanation, { needsKey, clean });
  const notes = isRefused(job) ? [] : notesOf(job, declared);
  return {
    ...ended,
    outputs: isRefused(job) ? {} : knownOutputs(job),
    problems: job.kind === 'wrong' ? job.problems : [],
    skippedReason: job.kind === 'skip' ? job.reason : undefined,
    logEntries: [...notes, ...ended.logEntries],
  };
}

/** The response that is explained in full: the first with work, else one that shows why there is none. */
const mainOf = (answers: readonly [Answer, ...Answer[]]): Answer =>
  answers.find(({ job }) => !isRefused(job)) ??
  answers.find(({ job }) => job.kind === 'wrong') ??
  answers[0];

/** Explains what follows from each possible response of GitHub: one in full, and the others in a row each. */
function explainAnswers(
  source: QueriedSource,
  answers: readonly Answer[],
  main: Answer,
  { explain, clean }: { explain: (job: Job) => Explanation; clean: Sanitize },
): Explanation {
  const explained = explain(main.job);
  const { would, outcome } = explained;
  const isPlanned = outcome === 'planned';
  const rows = answers.map((answer) => {
    const about = conditions[answer.when];
    return isPlanned && answer === main
      ? does(about, safe`The run would ${would}, as described here.`)
      : inOneRow(about, explain(answer.job));
  });
  const first = [explainRequest(source, clean), ...rows];
  if (!isPlanned) return { ...explained, rows: first };
  const state = main.when === 'open' ? safe`open` : safe`closed`;
  return {
    ...explained,
    would: safe`${would}, if its pull request is ${state}`,
    rows: [...first, ...explained.rows],
  };
}

const conditions = {
  open: safe`If it is open`,
  closed: safe`If it is closed`,
  none: safe`If there is none`,
} as const;

/** The request to GitHub. */
function explainRequest(source: QueriedSource, clean: Sanitize): Row {
  const head = source.head === undefined ? safe`` : safe`, whose head must be this commit`;
  const which =
    source.kind === 'by-number'
      ? safe`pull request #${source.number}`
      : safe`the pull request of ${clean(source.owner)}:${clean(source.branch)}`;
  return does(
    safe`GitHub`,
    safe`The run would read ${which} from GitHub${head}. If GitHub does not respond, the run fails.`,
    ['pull-requests: read', safe`to find the pull request`],
  );
}

/** What a run would do, in full, with the permissions that it needs. */
function inOneRow(about: SafeText, { would, rows, outcome }: Explanation): Row {
  const details = rows.flatMap((row) => {
    const text = 'does' in row ? row.does : 'fails' in row ? row.fails : undefined;
    return text === undefined ? [] : [safe`${row.about}: ${text}`];
  });
  const needs = outcome === 'planned' ? needsOf(rows) : [];
  return does(about, joinSafe([safe`The run would ${would}.`, ...details], ' '), ...needs);
}
