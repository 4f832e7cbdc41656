import type { Project } from '../../contract/project.ts';
import type { ProjectId } from '../../contract/safe-text.ts';
import { readPreview, templateProblems } from '../../deploy/previews/intent.ts';
import * as schema from '../../input-schemas.ts';
import type { Inputs, ValuesOf } from '../../inputs/input.ts';
import { diagnose, type Problem, requiredAndEmpty } from '../../kernel/diagnostic.ts';
import { clean, safe } from '../../kernel/text/safe.ts';
import { secretsInGitUrl } from '../../push/model/git-url.ts';
import { readRepositories } from '../../push/read-push.ts';
import { Stop } from '../../step/step.ts';
import type { setupCommands } from '../setup-commands.ts';
import { ask, type Person } from '../prompt.ts';
import type { Words } from '../words.ts';
import { listProjects, type ServiceAccess } from './service.ts';

/** The inputs of `init`, as they were given. */
type GivenInputs = Inputs<ValuesOf<(typeof setupCommands)['init']['inputs']>>;

/** The repository on GitHub; empty as far as it is not known. */
export interface Origin {
  /** Such as `https://github.com`. */
  serverUrl: string;
  /** `OWNER/NAME`. */
  repository: string;
}

/** What the repository is set up with. */
export interface Settings extends ServiceAccess {
  projectId: ProjectId;
  /** One URL with `{projectId}`, or lines `PROJECT_ID=URL`. */
  gitUrl: string;
  /** Empty: there is none. */
  gitToken: string;
  /** Undefined: pull requests get none. */
  previews: { projects: readonly ProjectId[]; domain: string } | undefined;
}

/**
 * What is wrong with inputs that were given.
 *
 * @param isAsked true if a person is asked for what is missing
 */
export function problemsOf(inputs: GivenInputs, isAsked: boolean, origin: Origin): Problem[] {
  const problems = inputs.problems.filter(
    ({ message }) => !isAsked || message !== requiredAndEmpty,
  );
  const live = inputs.get('project-id');
  const url = inputs.get('git-url');
  const projects = inputs.get('preview-projects');
  const domain = inputs.get('preview-domain');
  const isHalf = (projects === undefined) !== (domain === undefined);
  if (isHalf && !isAsked) {
    const [input, other] =
      projects === undefined
        ? (['preview-domain', 'preview-projects'] as const)
        : (['preview-projects', 'preview-domain'] as const);
    problems.push({ input, code: 'SD1101', message: `needs ${other}` });
  }
  if (live !== undefined && projects?.includes(live)) {
    problems.push({ input: 'preview-projects', code: 'SD1102', message: isLive });
  }
  if (domain !== undefined) problems.push(...domainProblems(domain, origin));
  const git = url === undefined ? undefined : gitProblem(url, live, projects, origin);
  if (git !== undefined) problems.push({ input: 'git-url', code: 'SD1106', message: git });
  return problems;
}

const isLive = 'contains project-id: pull requests would overwrite the live site. Remove it';

const pull = { number: 1, branch: 'topic', sha: undefined, isOpen: true, isFork: false };

/** What is wrong with the template of a preview's hostname. */
function domainProblems(template: string, { repository }: Origin): Problem[] {
  const problems = templateProblems(template, true);
  if (problems.length === 0) {
    const event = { repository: repository || 'owner/repository', event: { branch: undefined } };
    readPreview({ 'preview-domain': template }, event, { pull, commit: undefined }, problems);
  }
  return problems;
}

function gitProblem(
  url: string,
  live: ProjectId | undefined,
  projects: readonly ProjectId[] | undefined,
  origin: Origin,
): string | undefined {
  const known = [...(projects ?? []), ...(live === undefined ? [] : [live])];
  if (secretsInGitUrl(url, known, true).length > 0) {
    return 'contains a password or a token, and would be a variable that is not secret: put it into SITE_GIT_TOKEN';
  }
  const values = { 'git-url': url, 'project-id': live, 'preview-projects': projects };
  const read = readRepositories(values, origin);
  return read !== undefined && 'problem' in read ? read.problem : undefined;
}

/** A person who is asked, and in which words. */
interface Interview {
  person: Person;
  signal: AbortSignal;
  translate: Words['translate'];
}

/**
 * What a person answers; the question is repeated until that is right.
 *
 * @throws Stop if they cancel
 */
async function answer<Value>(
  interview: Interview | undefined,
  question: string,
  read: schema.InputSchema<Value>,
  isHidden = false,
): Promise<Value> {
  if (interview === undefined) throw new Error('a setting that is missing');
  const { person, signal, translate } = interview;
  for (;;) {
    const text = await ask(person, question, signal, isHidden);
    if (text === undefined) {
      throw new Stop('cancelled', diagnose('SD9002', safe`Canceled. Nothing was written.`));
    }
    const result = read(text.trim());
    if ('value' in result) return result.value;
    person.output.write(`  ${translate(result.fault)}\n`);
  }
}

/** The most projects that are listed to choose from. */
const mostListed = 50;

/** Lists the projects with numbers. @throws ServiceError */
async function showProjects(access: ServiceAccess, interview: Interview): Promise<Project[]> {
  const { output } = interview.person;
  const projects = await listProjects(access, interview.signal);
  for (const [index, { projectId, name }] of projects.slice(0, mostListed).entries()) {
    output.write(`${String(index + 1).padStart(4)}  ${projectId}  ${clean(name ?? '', 60)}\n`);
  }
  const more = projects.length - mostListed;
  if (more > 0) output.write(`      and ${more} more, by their ids\n`);
  return projects;
}

/** A project by its number in a list, or by its id. */
const oneOfProjects =
  (listed: readonly Project[]): schema.InputSchema<ProjectId> =>
  (text) =>
    schema.projectId(listed[Number(text) - 1]?.projectId ?? text);

/** Several projects, none of them the live one. */
const previewProjects =
  (listed: readonly Project[], live: ProjectId): schema.InputSchema<ProjectId[]> =>
  (text) => {
    const ids = schema.itemsOf(text).map((item) => listed[Number(item) - 1]?.projectId ?? item);
    const read = schema.projectIds(ids.join(','));
    if ('fault' in read || read.value.length === 0) return { fault: 'must be one project or more' };
    return read.value.includes(live) ? { fault: 'must not contain the live project' } : read;
  };

const domainOf =
  (origin: Origin): schema.InputSchema<string> =>
  (text) => {
    const [problem] = domainProblems(text, origin);
    return problem === undefined ? { value: text } : { fault: problem.message };
  };

const previewQuestion = 'Previews of pull requests? They need other projects and a domain [y/N] ';

const domainQuestion = 'Domain of previews, such as pr-{number}.preview.example.com: ';

const yes: schema.InputSchema<boolean> = (text) => ({ value: /^y(es)?$/i.test(text) });

/**
 * Completes the settings: asks for what was not given. A request is sent only to list projects to choose from.
 *
 * @param interview undefined if nobody is asked: then all that is required was given
 * @throws Stop if they cancel; ServiceError
 */
export async function completeSettings(
  inputs: GivenInputs,
  interview: Interview | undefined,
  origin: Origin,
): Promise<Settings> {
  const baseUrl =
    inputs.get('base-url') ??
    (await answer(interview, 'API address, without /v1: ', schema.baseUrl));
  const apiKey =
    inputs.get('api-key') ??
    (await answer(interview, 'API key (not shown): ', schema.apiKey, true));
  const live = inputs.get('project-id');
  const leased = inputs.get('preview-projects');
  const template = inputs.get('preview-domain');
  const hasPreviews =
    leased !== undefined ||
    template !== undefined ||
    (interview !== undefined && (await answer(interview, previewQuestion, yes)));
  const isChoosing = live === undefined || (hasPreviews && leased === undefined);
  const listed =
    interview !== undefined && isChoosing ? await showProjects({ baseUrl, apiKey }, interview) : [];
  const projectId =
    live ?? (await answer(interview, 'Live project, by number or id: ', oneOfProjects(listed)));
  const previews = hasPreviews
    ? {
        projects:
          leased ??
          (await answer(
            interview,
            'Projects of previews, by numbers or ids with commas: ',
            previewProjects(listed, projectId),
          )),
        domain: template ?? (await answer(interview, domainQuestion, domainOf(origin))),
      }
    : undefined;
  const gitUrl =
    inputs.get('git-url') ??
    (await answer(
      interview,
      "Git address of the projects, with {projectId} for a project's id: ",
      (text) => {
        const fault = gitProblem(text, projectId, previews?.projects, origin);
        return fault === undefined ? { value: text } : { fault };
      },
    ));
  return { baseUrl, apiKey, projectId, gitUrl, gitToken: inputs.get('git-token') ?? '', previews };
}
