import type { ParseWorkflowResult } from '@actions/workflow-parser';
import type {
  ActionStep,
  EventsConfig,
  RunStep,
  Step,
  WorkflowJob,
} from '@actions/workflow-parser/model/workflow-template';
import { find, itemAt, pairsOf, scalarsIn, type Token } from './expressions.ts';
import { takeOutNewer } from './newer-syntax.ts';
import { loadParser } from './parser.ts';

/** A step as its file has it. */
export type WorkflowStep = {
  /** Empty in an action, or beginning with `__`, if the file gives it none. */
  id: string;
  uses?: string;
  run?: Token;
  /** An expression. */
  if: string;
  /** The mapping of the step, for what is read when it runs. */
  token: Token;
  /** True: the steps after it do not wait for it. */
  isBackground: boolean;
  /** The steps before it that a step which only waits, or cancels one, is about. */
  awaits?: readonly WorkflowStep[];
  cancels?: true;
};

/** A job as its file has it. */
export type Job = {
  id: string;
  needs: readonly string[];
  /** An expression. */
  if: string;
  /** The mapping of the job, for what is read when it runs. */
  token: Token;
  steps: readonly WorkflowStep[];
  /** The workflow that it calls instead of having steps. */
  calls?: string;
};

/** A workflow file that GitHub's parser found no mistake in. */
export type Workflow = {
  /** Its name in `.github/workflows`. */
  file: string;
  /** Keys that GitHub knows and its parser does not. */
  unread: readonly string[];
  events: EventsConfig;
  token: Token;
  jobs: readonly Job[];
};

/**
 * Reads a workflow file as GitHub does.
 * @param file its name in `.github/workflows`
 * @returns the mistakes instead, each with its file and line
 */
export async function readWorkflow(
  file: string,
  source: string,
): Promise<Workflow | { mistakes: string[] }> {
  const { parseWorkflow, convertWorkflow } = await loadParser();
  const { known, unread } = takeOutNewer(source);
  const parsed = parseWorkflow(file, known);
  const { value } = parsed;
  const template = await convertWorkflow(parsed);
  const mistakes = [
    ...mistakesIn(parsed.context, file),
    ...wrongActions(template?.jobs ?? [], file),
    ...wrongPairs(value, file),
  ];
  if (value === undefined || template === undefined || mistakes.length > 0) return { mistakes };
  const jobs = find(value, 'jobs');
  return {
    file,
    unread,
    events: template.events,
    token: value,
    jobs: inOrder(template.jobs.map((job) => readJob(job, find(jobs, job.id.value) ?? value))),
  };
}

/** What GitHub's parser found wrong, each with its file and line. */
export function mistakesIn({ errors }: ParseWorkflowResult['context'], file: string): string[] {
  return errors.getErrors().map(({ rawMessage, range }) => {
    const line = range === undefined ? '' : `, line ${range.start.line}`;
    // The parser of YAML quotes the lines around it below.
    return `${file}${line}: ${rawMessage.split('\n')[0]?.replace(/ at line \d+.*$/, '')}`;
  });
}

/** The steps whose `uses:` GitHub does not take, which its parser does not say. */
function wrongActions(jobs: readonly WorkflowJob[], file: string): string[] {
  const steps = jobs.flatMap((job) => (job.type === 'reusableWorkflowJob' ? [] : job.steps));
  return steps.flatMap((step) => {
    if (!('uses' in step)) return [];
    const { value, range } = step.uses;
    if (/^(\.[/\\]|\$\/|docker:\/\/)|^[^/\s@]+\/[^\s@]+@\S+$/.test(value)) return [];
    const line = range === undefined ? '' : `, line ${range.start.line}`;
    return [
      `${file}${line}: uses: '${value}' is not owner/repository@ref, or a path within one, ./folder or docker://image`,
    ];
  });
}

/** Keys of which GitHub takes one, and its parser both. */
function wrongPairs(root: Token | undefined, file: string): string[] {
  const filters = pairsOf(find(root, 'on')).flatMap(([event, token]) =>
    ['branches', 'tags', 'paths'].flatMap((name) =>
      find(token, name) !== undefined && find(token, `${name}-ignore`) !== undefined
        ? [`${file}: on: ${event} has ${name} and ${name}-ignore: only one of them may be there`]
        : [],
    ),
  );
  const groups = [root, ...pairsOf(find(root, 'jobs')).map(([, job]) => job)];
  const queues = groups.flatMap((one) => {
    const group = find(one, 'concurrency');
    const isQueue = String(find(group, 'queue') ?? '') === 'max';
    return isQueue && String(find(group, 'cancel-in-progress') ?? '') === 'true'
      ? [`${file}: concurrency: queue: max can't be used with cancel-in-progress: true`]
      : [];
  });
  return [...filters, ...queues];
}

function readJob(job: WorkflowJob, token: Token): Job {
  const common = {
    id: job.id.value,
    needs: (job.needs ?? []).map(({ value }) => value),
    if: job.if.expression,
    token,
  };
  if (job.type === 'reusableWorkflowJob') return { ...common, steps: [], calls: job.ref.value };
  return { ...common, steps: readSteps(job.steps, find(token, 'steps')) };
}

/** What is read of steps before they run. `parallel:` is steps in the background, and one that waits for them. */
export function readSteps(steps: readonly Step[], list: Token | undefined): WorkflowStep[] {
  const read: WorkflowStep[] = [];
  for (const [index, step] of steps.entries()) {
    const token = itemAt(list, index);
    if (token === undefined) continue;
    const common = { id: step.id, if: step.if?.expression ?? 'success()', token };
    const named = (ids: readonly string[]) => read.filter(({ id }) => ids.includes(id));
    const wait = (awaits: WorkflowStep[]) => ({ ...common, isBackground: false, awaits });
    if ('parallel' in step) {
      const group = readSteps(step.parallel, find(token, 'parallel'));
      const beside = group.map((one) => ({ ...one, isBackground: true }));
      read.push(...beside, wait(beside));
    } else if ('wait' in step) read.push(wait(named(step.wait.map(({ value }) => value))));
    else if ('wait-all' in step) read.push(wait([...read]));
    else if ('cancel' in step) read.push({ ...wait(named([step.cancel.value])), cancels: true });
    else read.push(readStep(step, common));
  }
  return read;
}

function readStep(
  step: ActionStep | RunStep,
  common: Pick<WorkflowStep, 'id' | 'if' | 'token'>,
): WorkflowStep {
  const isBackground = step.background === true;
  if ('uses' in step) return { ...common, isBackground, uses: step.uses.value };
  const run = find(common.token, 'run');
  return { ...common, isBackground, ...(run === undefined ? {} : { run }) };
}

/** Jobs so that each comes after those that it needs; the parser has found no circle. */
function inOrder(jobs: readonly Job[]): Job[] {
  const done: Job[] = [];
  let left = [...jobs];
  while (left.length > 0) {
    const isReady = ({ needs }: Job) => needs.every((id) => done.some((one) => one.id === id));
    done.push(...left.filter(isReady));
    left = left.filter((one) => !done.includes(one));
  }
  return done;
}

const contexts = ['secrets', 'vars'] as const;

/** The secrets and variables of a workflow that nothing was given for, as `secrets.NAME`. */
export const missingIn = (
  workflow: Workflow,
  given: Readonly<Record<(typeof contexts)[number], object>>,
): string[] =>
  contexts.flatMap((context) =>
    namesIn(workflow, context)
      .filter((name) => name !== 'GITHUB_TOKEN' && !(name in given[context]))
      .map((name) => `${context}.${name}`),
  );

/** The names that a workflow's expressions take from `secrets` or `vars`. */
export function namesIn({ token }: Workflow, context: 'secrets' | 'vars'): string[] {
  const pattern = new RegExp(`\\b${context}(?:\\.([A-Za-z_][\\w-]*)|\\['([\\w-]+)'\\])`, 'g');
  const texts = [...scalarsIn(token)].join('\n');
  const found = Array.from(texts.matchAll(pattern), ([, dotted, quoted]) => dotted ?? quoted ?? '');
  return [...new Set(found)];
}
