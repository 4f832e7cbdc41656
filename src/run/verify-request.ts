import type { DeployRequest } from '../commands/deploy.ts';
import type { Problem } from '../core/problem.ts';
import { fillTemplate } from '../core/template.ts';
import type { Values } from '../inputs.ts';

/**
 * Reads `verify-url` and `verify-contains`.
 *
 * @param commit 40 hex digits, or empty for HEAD
 * @param problems takes what is wrong with them
 */
export function verifyRequest(
  values: Partial<Values<'deploy'>>,
  commit: string,
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
  if (given.includes('{preview-domain}')) {
    return problem('verify-url', '{preview-domain} is not available in this version yet');
  }
  if (given.includes('{sha}') && commit === '') {
    return problem('verify-url', '{sha} needs a commit: commit-sha is HEAD');
  }
  const url = URL.parse(fillTemplate(template, { sha: commit }));
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return problem('verify-url', 'must be a URL such as https://www.example.com/');
  }
  return {
    url,
    contains: fillTemplate(contains, { sha: commit }),
    namesCommit: given.includes('{sha}'),
  };
}
