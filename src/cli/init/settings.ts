import { readPreview, templateProblems } from '../../deploy/previews/intent.ts';
import { itemsOf } from '../../input-schemas.ts';
import type { ValuesOf } from '../../inputs/input.ts';
import { requiredAndEmpty } from '../../kernel/diagnostic.ts';
import { createRedact, createSanitize } from '../../kernel/text/redact.ts';
import type { RunContext } from '../../platform.ts';
import { secretsInGitUrl } from '../../push/model/git-url.ts';
import { readRepositories } from '../../push/read-push.ts';
import { readInputs } from '../../step/read-values.ts';
import { canceled } from '../planned-files.ts';
import { ask, personAt } from '../prompt.ts';
import { setupCommands } from '../setup-commands.ts';
import type { SetupSurroundings } from '../surroundings.ts';
import type { Words } from '../words.ts';

/** What a repository is set up with, by the names of the inputs. */
export type Settings = ValuesOf<(typeof setupCommands)['init']['inputs']>;

/** Settings as texts, as far as they are given. */
type Texts = Readonly<Record<string, string>>;

/** The repository on GitHub; empty as far as it is not known. */
type Origin = Pick<RunContext, 'serverUrl' | 'repository'>;

/** Reads settings, and finds all that is wrong with them. What is missing has the message {@link requiredAndEmpty}. */
export function readSettings(texts: Texts, origin: Origin) {
  const inputs = readInputs(setupCommands.init.inputs, (name) => texts[name]);
  const problems = [...inputs.problems];
  const live = inputs.get('project-id');
  const leased = inputs.get('preview-projects') ?? [];
  if (isEmpty(texts, 'preview-projects') !== isEmpty(texts, 'preview-domain')) {
    const input = isEmpty(texts, 'preview-domain') ? 'preview-domain' : 'preview-projects';
    problems.push({ input, code: 'SD1101', message: requiredAndEmpty });
  }
  if (live !== undefined && leased.includes(live)) {
    const message = 'contains the live project, which pull requests would overwrite. Remove its id';
    problems.push({ input: 'preview-projects', code: 'SD1102', message });
  }
  const domain = { 'preview-domain': inputs.get('preview-domain') };
  problems.push(...templateProblems(domain['preview-domain'], true));
  if (!problems.some(({ input }) => input === 'preview-domain')) {
    const context = { event: { branch: undefined }, repository: origin.repository || 'owner/name' };
    readPreview(domain, context, { pull: firstPull, commit: undefined }, problems);
  }
  const url = inputs.get('git-url');
  const repositories = readRepositories(
    { 'git-url': url, 'project-id': live, 'preview-projects': leased },
    origin,
  );
  const projects = live === undefined ? leased : [...leased, live];
  if (url !== undefined && secretsInGitUrl(url, projects, true).length > 0) {
    const message =
      'contains a password or a token, and would be a variable that is not secret: put it into SITE_GIT_TOKEN';
    problems.push({ input: 'git-url', code: 'SD1106', message });
  } else if (repositories !== undefined && 'problem' in repositories) {
    problems.push({ input: 'git-url', code: 'SD1106', message: repositories.problem });
  }
  const isRight =
    problems.length === 0 && repositories !== undefined && !('problem' in repositories);
  const shown = createSanitize(createRedact(inputs.secrets));
  return {
    problems: problems.map((one) => ({ ...one, message: shown(one.message) })),
    ...(isRight && { settings: inputs.values, repositories }),
  };
}

const firstPull = { number: 1, branch: 'topic', sha: undefined, isOpen: true, isFork: false };

const isEmpty = (texts: Texts, input: string): boolean => itemsOf(texts[input] ?? '').length === 0;

/** How a person is asked for each setting, in this order: the key first, so that no text that is pasted shows it. */
const questions = {
  'api-key': 'API key (not shown): ',
  'base-url': 'API address, without /v1: ',
  'project-id': 'Id of the live project: ',
  'preview-projects': 'Ids of other projects for previews, with commas (empty: no previews): ',
  'preview-domain': 'Domain of previews, such as pr-{number}.preview.example.com: ',
  'git-url': 'Git address of the projects, such as https://git.example.com/{projectId}.git: ',
} as const satisfies Partial<Record<keyof Settings, string>>;

/**
 * Asks the person at the terminal, if there is one, for each setting that is missing or wrong, until it is right. If the
 * projects can't be listed, the key and the address are asked for again.
 *
 * @returns the settings that are known then
 * @throws RunAborted if the person cancels
 */
export async function askMissing(
  given: Texts,
  origin: Origin,
  words: Words,
  around: SetupSurroundings,
): Promise<Texts> {
  const person = personAt(around);
  if (person === undefined) return given;
  const texts: Record<string, string> = { ...given };
  for (const [input, question] of Object.entries(questions)) {
    const findProblem = () =>
      readSettings(texts, origin).problems.find((one) => one.input === input);
    let problem = findProblem();
    const isOpen = input === 'preview-projects' && isEmpty(texts, input);
    if (problem === undefined && !isOpen) continue;
    if (input === 'project-id' && !(await listProjects(texts, around))) {
      person.output.write(
        '  For a key that may not list projects, run this with --project-id ID.\n',
      );
      const others = { ...texts, 'api-key': '', 'base-url': '' };
      return await askMissing(others, origin, words, around);
    }
    do {
      const message = problem?.message ?? requiredAndEmpty;
      if (message !== requiredAndEmpty || texts[input] !== given[input]) {
        // The projects are listed above that question.
        const shown = message.replace(/(?<=not a name: ).*/, 'copy it from the list');
        person.output.write(`  ${words.translate(shown)}\n`);
      }
      const answer = await ask(person, question, around.signal, input === 'api-key');
      if (answer === undefined) throw canceled();
      texts[input] = answer;
      problem = findProblem();
    } while (problem !== undefined);
  }
  return texts;
}

/** Lists the projects as `site-deploy projects` does. @returns false if it can't; then the reason is shown */
async function listProjects(texts: Texts, around: SetupSurroundings): Promise<boolean> {
  const { 'api-key': SITE_API_KEY = '', 'base-url': SITE_BASE_URL = '' } = texts;
  // Of its other variables, one would create a project.
  const others = Object.entries(around.environment).filter(([name]) => !name.startsWith('SITE_'));
  const environment = { ...Object.fromEntries(others), SITE_API_KEY, SITE_BASE_URL };
  around.stdout.write('Projects of this API key:\n');
  const status = await around.run(['projects', '--pull-request', 'none'], {
    ...around,
    environment,
  });
  return status === 0;
}
