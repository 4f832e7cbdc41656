import { isLoopback } from '../contract/base-url.ts';
import type { Inputs } from '../inputs/input.ts';
import type { Problem } from '../kernel/problem.ts';
import type { Step } from './step.ts';

const proxyVariables = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'];

/** Mistakes in the proxy variables, if they are used to reach the service. */
export function proxyProblems({
  inputs,
  environment,
}: Pick<Step<'projects'>, 'environment'> & { inputs: Inputs<{ 'base-url': string }> }): Problem[] {
  const baseUrl = inputs.get('base-url');
  if (baseUrl === undefined || isLoopback(new URL(baseUrl))) return [];
  const wrong = proxyVariables.filter((name) => {
    const value = environment[name] ?? '';
    return value !== '' && !/^(https?|socks5?):$/.test(URL.parse(value)?.protocol ?? '');
  });
  const message =
    'is set in the environment but is not a URL such as http://proxy.example.com:3128';
  return wrong.map((input) => ({ input, code: 'SD1010', message }));
}
