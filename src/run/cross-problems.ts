import { isLoopback } from '../contract/base-url.ts';
import { foldStatus } from '../core/deployment/status.ts';
import type { Problem } from '../core/problem.ts';
import type { StepEnvironment } from '../github/runner.ts';
import type { Values } from '../inputs.ts';

const proxyVariables = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'];

/** What is wrong with the proxy variables, if the service is reached through them. */
export function proxyProblems(
  baseUrl: string | undefined,
  environment: StepEnvironment,
): Problem[] {
  if (baseUrl === undefined || isLoopback(new URL(baseUrl))) return [];
  const wrong = proxyVariables.filter((name) => {
    const value = environment[name] ?? '';
    return value !== '' && !/^(https?|socks5?):$/.test(URL.parse(value)?.protocol ?? '');
  });
  const message = 'is set in the environment, and is no URL such as http://proxy.example.com:3128';
  return wrong.map((input) => ({ input, message }));
}

/** What is wrong with inputs that are right each by itself, and with the environment that they meet. */
export function crossProblems(
  values: Partial<Values<'deploy'>>,
  environment: StepEnvironment,
): Problem[] {
  const successes = new Set(values['success-states']?.map(foldStatus));
  const both = values['failure-states']?.find((word) => successes.has(foldStatus(word)));
  const overlap = { input: 'failure-states', message: `"${both}" is in success-states too` };
  return [
    ...(both === undefined ? [] : [overlap]),
    ...proxyProblems(values['base-url'], environment),
  ];
}
