import { requiredAndEmpty } from '../../kernel/diagnostic.ts';
import { canceled } from '../planned-files.ts';
import { ask, personAt } from '../prompt.ts';
import type { SetupSurroundings } from '../surroundings.ts';
import type { Words } from '../words.ts';
import { isEmpty, type Origin, readSettings, type Settings, type Texts } from './settings.ts';

/** How a person is asked for each setting, in this order: the key first, so that no text that is pasted shows it. */
const questions = {
  'api-key': 'API key (not shown): ',
  'base-url': 'API address, without /v1: ',
  'project-id': 'Id of the live project: ',
  'preview-projects': 'Ids of other projects for previews, with commas (empty: no previews): ',
  'preview-domain': 'Domain of previews, such as pr-{number}.preview.example.com: ',
  'git-url': "Git address of the projects, with {projectId} for a project's id: ",
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
      const others = { ...texts, 'api-key': '', 'base-url': '' };
      return await askMissing(others, origin, words, around);
    }
    do {
      const message = problem?.message ?? requiredAndEmpty;
      if (message !== requiredAndEmpty) person.output.write(`  ${words.translate(message)}\n`);
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
  const environment = { ...around.environment, SITE_API_KEY, SITE_BASE_URL };
  const status = await around.run(['projects', '--pull-request', 'none'], {
    ...around,
    environment,
  });
  return status === 0;
}
