import { templateProblems } from '../../deploy/previews/intent.ts';
import type { ValuesOf } from '../../inputs/input.ts';
import { requiredAndEmpty } from '../../kernel/diagnostic.ts';
import type { RunContext } from '../../platform.ts';
import { secretsInGitUrl } from '../../push/model/git-url.ts';
import { readRepositories } from '../../push/read-push.ts';
import { readInputs } from '../../step/read-values.ts';
import { setupCommands } from '../setup-commands.ts';

/** What a repository is set up with, by the names of the inputs. */
export type Settings = ValuesOf<(typeof setupCommands)['init']['inputs']>;

/** Settings as texts, as far as they are given. */
export type Texts = Readonly<Record<string, string>>;

/** The repository on GitHub; empty as far as it is not known. */
export type Origin = Pick<RunContext, 'serverUrl' | 'repository'>;

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
    const message = 'contains project-id: pull requests would overwrite the live site. Remove it';
    problems.push({ input: 'preview-projects', code: 'SD1102', message });
  }
  problems.push(...templateProblems(inputs.get('preview-domain'), true));
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
  return { problems, ...(isRight && { settings: inputs.values, repositories }) };
}

/** True if a setting is not given. */
export const isEmpty = (texts: Texts, input: string): boolean => (texts[input] ?? '').trim() === '';
