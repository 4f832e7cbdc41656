import type { DeployRequest } from '../commands/deploy.ts';
import type { Problem } from '../core/problem.ts';
import { fillTemplate } from '../core/template.ts';
import type { Values } from '../inputs.ts';

/**
 * Reads `verify-url` and `verify-contains`.
 *
 * @param commit 40 hex digits, or empty for HEAD
 * @param hostname the preview domain, if the run has one
 * @param problems takes what is wrong with them
 */
export function verifyRequest(
  values: Partial<Values<'deploy'>>,
  commit: string,
  hostname: string | undefined,
  problems: Problem[],
): DeployRequest['verify'] {
  const template = values['verify-url'];
  const contains = values['verify-contains'] ?? '';
  const given = `${template ?? ''}${contains}`;
  const problem = (input: string, message: string) => {
    problems.push({ input, message });
    return undefined;
  };
  if (template === undefined) {
    if (contains !== '') problem('verify-contains', 'needs verify-url');
    return undefined;
  }
  if (values.wait === 'none') problem('verify-url', 'needs wait to be other than none');
  if (given.includes('{preview-domain}') && hostname === undefined) {
    return problem('verify-url', '{preview-domain} needs preview-domain, and a run that uses it');
  }
  if (given.includes('{sha}') && commit === '') {
    return problem('verify-url', '{sha} needs a commit: commit-sha is HEAD');
  }
  const filled = { sha: commit, 'preview-domain': hostname ?? '' };
  const url = URL.parse(fillTemplate(template, filled));
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return problem('verify-url', 'must be a URL such as https://www.example.com/');
  }
  return {
    url,
    contains: fillTemplate(contains, filled),
    namesCommit: given.includes('{sha}'),
  };
}
