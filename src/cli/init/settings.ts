import type { Project } from '../../contract/project.ts';
import { readPreview, templateProblems } from '../../deploy/previews/intent.ts';
import { itemsOf } from '../../input-schemas.ts';
import type { Inputs, ValuesOf } from '../../inputs/input.ts';
import { type Problem, requiredAndEmpty } from '../../kernel/diagnostic.ts';
import { clean } from '../../kernel/text/safe.ts';
import type { RunContext } from '../../platform.ts';
import { secretsInGitUrl } from '../../push/model/git-url.ts';
import { readRepositories } from '../../push/read-push.ts';
import { readInputs } from '../../step/read-values.ts';
import { agrees, type Questions } from '../prompt.ts';
import { setupCommands } from '../setup-commands.ts';
import type { Words } from '../words.ts';
import { openReader } from './service.ts';

/** What a repository is set up with, by the names of the inputs. */
export type Settings = ValuesOf<(typeof setupCommands)['init']['inputs']>;

/** Settings as texts, as far as they are given. */
type Texts = Readonly<Record<string, string>>;

/** The repository on GitHub; empty as far as it is not known. */
export type Origin = Pick<RunContext, 'serverUrl' | 'repository'>;

/** Reads settings, and finds all that is wrong with them. What is missing has the message {@link requiredAndEmpty}. */
export function readSettings(texts: Texts, origin: Origin) {
  const inputs = readInputs(setupCommands.init.inputs, (name) => texts[name]);
  const problems = [...inputs.problems];
  const live = inputs.get('project-id');
  const projects = inputs.get('preview-projects') ?? [];
  const hasProjects = !isEmpty(texts, 'preview-projects');
  const hasDomain = !isEmpty(texts, 'preview-domain');
  if (hasDomain && (!hasProjects || itemsOf(texts['preview-projects'] ?? '').length === 0)) {
    problems.push({ input: 'preview-projects', code: 'SD1101', message: requiredAndEmpty });
  }
  if (hasProjects && !hasDomain) {
    problems.push({ input: 'preview-domain', code: 'SD1101', message: requiredAndEmpty });
  }
  if (live !== undefined && projects.includes(live)) {
    const message = 'contains project-id: pull requests would overwrite the live site. Remove it';
    problems.push({ input: 'preview-projects', code: 'SD1102', message });
  }
  problems.push(...domainProblems(inputs.get('preview-domain'), origin));
  const known = live === undefined ? projects : [...projects, live];
  const url = inputs.get('git-url');
  const read = readRepositories(
    { 'git-url': url, 'project-id': live, 'preview-projects': projects },
    origin,
  );
  if (url !== undefined && secretsInGitUrl(url, known, true).length > 0) {
    const message =
      'contains a password or a token, and would be a variable that is not secret: put it into SITE_GIT_TOKEN';
    problems.push({ input: 'git-url', code: 'SD1106', message });
  } else if (read !== undefined && 'problem' in read) {
    problems.push({ input: 'git-url', code: 'SD1106', message: read.problem });
  }
  return { inputs, problems };
}

const isEmpty = (texts: Texts, input: string): boolean => (texts[input] ?? '').trim() === '';

const pull = { number: 1, branch: 'topic', sha: undefined, isOpen: true, isFork: false };

/** What is wrong with the template of a preview's hostname. */
function domainProblems(template: string | undefined, { repository }: Origin): Problem[] {
  const problems = templateProblems(template, true);
  if (problems.length === 0) {
    const event = { repository: repository || 'owner/repository', event: { branch: undefined } };
    readPreview({ 'preview-domain': template }, event, { pull, commit: undefined }, problems);
  }
  return problems;
}

/** How a person is asked for each setting, in this order. */
const questionOf = {
  'base-url': 'API address, without /v1: ',
  'api-key': 'API key (not shown): ',
  'project-id': 'Live project, by number or id: ',
  'preview-projects': 'Projects of previews, by numbers or ids with commas: ',
  'preview-domain': 'Domain of previews, such as pr-{number}.preview.example.com: ',
  'git-url': "Git address of the projects, with {projectId} for a project's id: ",
} as const satisfies Partial<Record<keyof Settings, string>>;

/**
 * Asks for the settings that are not given, for each until its answer is right. A request is sent only to list projects to
 * choose from.
 *
 * @returns all settings; undefined if the person cancels
 * @throws ServiceError
 */
export async function askMissing(
  given: Texts,
  origin: Origin,
  questions: Questions,
  words: Words,
  signal: AbortSignal,
): Promise<Texts | undefined> {
  const texts: Record<string, string> = { ...given };
  const isHalf = !isEmpty(given, 'preview-projects') || !isEmpty(given, 'preview-domain');
  let hasPreviews = isHalf ? true : undefined;
  let listed: readonly Project[] | undefined;
  for (const [input, question] of Object.entries(questionOf)) {
    if (!isEmpty(texts, input)) continue;
    if (input.startsWith('preview-')) {
      hasPreviews ??= await agrees(questions, previewQuestion);
      if (!hasPreviews) continue;
    }
    const isOfProjects = input === 'project-id' || input === 'preview-projects';
    if (isOfProjects)
      listed ??= await showProjects(readSettings(texts, origin).inputs, questions, signal);
    for (;;) {
      const answer = await questions.ask(question, input === 'api-key');
      if (answer === undefined) return undefined;
      const ids = itemsOf(answer).map((item) => listed?.[Number(item) - 1]?.projectId ?? item);
      texts[input] = isOfProjects ? ids.join(',') : answer;
      const { problems } = readSettings(texts, origin);
      const problem = problems.find((one) => one.input === input);
      if (problem === undefined) break;
      questions.say(`  ${words.translate(problem.message)}`);
    }
  }
  return texts;
}

const previewQuestion = 'Previews of pull requests? They need other projects and a domain';

/** Lists the projects with numbers. @throws ServiceError */
async function showProjects(
  inputs: Inputs<Settings>,
  questions: Questions,
  signal: AbortSignal,
): Promise<readonly Project[]> {
  const [baseUrl = '', apiKey = ''] = [inputs.get('base-url'), inputs.get('api-key')];
  await using reader = openReader(baseUrl, apiKey, signal);
  const projects = await reader.client.listProjects('all');
  for (const [index, { projectId, name }] of projects.entries()) {
    questions.say(`${String(index + 1).padStart(4)}  ${projectId}  ${clean(name ?? '', 60)}`);
  }
  return projects;
}
