import type { ParseWorkflowResult } from '@actions/workflow-parser';
import type {
  EventsConfig,
  Step,
  WorkflowJob,
} from '@actions/workflow-parser/model/workflow-template';
import { find, itemAt, scalarsIn, type Token } from './expressions.ts';
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
  const { parseWorkflow, convertWorkflowTemplate } = await loadParser();
  const { context, value } = parseWorkflow(file, source);
  const template = value && (await convertWorkflowTemplate(context, value));
  const mistakes = mistakesIn(context, file);
  if (value === undefined || template === undefined || mistakes.length > 0) return { mistakes };
  const jobs = find(value, 'jobs');
  return {
    file,
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

function readJob(job: WorkflowJob, token: Token): Job {
  const common = {
    id: job.id.value,
    needs: (job.needs ?? []).map(({ value }) => value),
    if: job.if.expression,
    token,
  };
  if (job.type === 'reusableWorkflowJob') return { ...common, steps: [], calls: job.ref.value };
  const list = find(token, 'steps');
  const steps = job.steps.map((step, index) => readStep(step, itemAt(list, index) ?? token));
  return { ...common, steps };
}

/** What is read of a step before it runs. */
export function readStep(step: Step, token: Token): WorkflowStep {
  const run = find(token, 'run');
  return {
    id: step.id,
    if: step.if?.expression ?? 'success()',
    token,
    ...('uses' in step ? { uses: step.uses.value } : {}),
    ...(run === undefined ? {} : { run }),
  };
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

/** The names that a workflow's expressions take from `secrets` or `vars`. */
export function namesIn({ token }: Workflow, context: 'secrets' | 'vars'): string[] {
  const pattern = new RegExp(`\\b${context}(?:\\.([A-Za-z_][\\w-]*)|\\['([\\w-]+)'\\])`, 'g');
  const texts = [...scalarsIn(token)].join('\n');
  const found = Array.from(texts.matchAll(pattern), ([, dotted, quoted]) => dotted ?? quoted ?? '');
  return [...new Set(found)];
}
