import type { DeployRequest } from '../commands/deploy.ts';
import type { Problem } from '../core/problem.ts';
import { fillTemplate } from '../core/template.ts';
import type { Values } from '../inputs.ts';

/** What the placeholders stand for. */
interface Filling {
  /** 40 hex digits; empty for HEAD, undefined if `commit-sha` is wrong. */
  sha: string | undefined;
  /** The preview domain, if the run has one. */
  hostname: string | undefined;
}

/** What is wrong with one of the two inputs before it is filled in. */
function templateProblem(template: string, { sha, hostname }: Filling): string | undefined {
  if (template.includes('{preview-domain}') && hostname === undefined) {
    return '{preview-domain} needs preview-domain, and a run that uses it';
  }
  return template.includes('{sha}') && sha === ''
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

/** Reads `verify-url` and `verify-contains`; what is wrong with them is added to the problems. */
export function verifyRequest(
  values: Partial<Values<'deploy'>>,
  filling: Filling,
  problems: Problem[],
): DeployRequest['verify'] {
  const template = values['verify-url'];
  const contains = values['verify-contains'] ?? '';
  if (values.deploy === false) return undefined;
  if (template === undefined) {
    if (contains !== '') problems.push({ input: 'verify-contains', message: 'needs verify-url' });
    return undefined;
  }
  const filled = { sha: filling.sha ?? '', 'preview-domain': filling.hostname ?? 'x.example' };
  const url = URL.parse(fillTemplate(template, filled));
  const checks: readonly (readonly [string, string | undefined])[] = [
    ['verify-url', values.wait === 'none' ? 'needs wait to be other than none' : undefined],
    ['verify-url', templateProblem(template, filling) ?? urlProblem(url)],
    ['verify-contains', templateProblem(contains, filling)],
  ];
  for (const [input, message] of checks) {
    if (message !== undefined) problems.push({ input, message });
  }
  if (url === null) return undefined;
  const namesCommit = contains.includes('{sha}');
  return { url, contains: fillTemplate(contains, filled), namesCommit };
}
