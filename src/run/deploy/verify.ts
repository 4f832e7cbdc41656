import type { DeployRequest } from '../../commands/deploy.ts';
import type { Commit } from '../../contract/commit.ts';
import type { Code } from '../../core/catalogue/code.ts';
import type { Problem } from '../../core/problem.ts';
import { fillTemplate } from '../../core/template.ts';
import type { Step } from '../step.ts';

/** What the placeholders stand for. */
interface Placeholders {
  /** Undefined if it is not known. */
  commit: Commit | undefined;
  /** The preview domain, if the run has one. */
  hostname: string | undefined;
}

/** What is wrong with one of the two inputs before it is filled in. */
function templateProblem(template: string, { commit, hostname }: Placeholders): string | undefined {
  if (template.includes('{preview-domain}') && hostname === undefined) {
    return '{preview-domain} needs preview-domain, and a run that uses it';
  }
  return template.includes('{sha}') && commit === 'HEAD'
    ? '{sha} needs a commit, and commit-sha is HEAD'
    : undefined;
}

function urlProblem(url: URL | null): string | undefined {
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return 'must be a URL such as https://www.example.com/';
  }
  const hasUser = url.username !== '' || url.password !== '';
  return hasUser ? 'must not hold a user name or password: the page must be public' : undefined;
}

/** What is wrong with a page that is to be asked. */
function pageProblems(
  {
    url,
    template,
    contains,
    follows,
  }: Record<'template' | 'contains', string> & { url: URL | null; follows: boolean },
  placeholders: Placeholders,
): Problem[] {
  const checks: readonly (readonly [string, Code, string | undefined])[] = [
    ['verify-url', 'SD1101', follows ? undefined : 'needs wait to be other than none'],
    ['verify-url', 'SD1105', templateProblem(template, placeholders) ?? urlProblem(url)],
    ['verify-contains', 'SD1105', templateProblem(contains, placeholders)],
  ];
  return checks.flatMap(([input, code, message]) =>
    message === undefined ? [] : [{ input, code, message }],
  );
}

/** Reads `verify-url` and `verify-contains`; what is wrong with them is added to the problems. */
export function verifyRequest(
  { inputs }: Step<'deploy'>,
  placeholders: Placeholders,
  problems: Problem[],
): DeployRequest['verify'] {
  const follows = inputs.get('wait') !== 'none';
  return inputs.with(['verify-url', 'verify-contains', 'deploy'], (values) => {
    const { 'verify-url': template, 'verify-contains': contains = '', deploy } = values;
    if (!deploy) return undefined;
    if (template === undefined) {
      if (contains !== '') {
        problems.push({ input: 'verify-contains', code: 'SD1101', message: 'needs verify-url' });
      }
      return undefined;
    }
    const { commit = 'HEAD', hostname = 'x.example' } = placeholders;
    const filled = { sha: commit === 'HEAD' ? '' : commit, 'preview-domain': hostname };
    const url = URL.parse(fillTemplate(template, filled));
    problems.push(...pageProblems({ url, template, contains, follows }, placeholders));
    if (url === null) return undefined;
    const namesCommit = contains.includes('{sha}');
    return { url, contains: fillTemplate(contains, filled), namesCommit };
  });
}
