import type { DomainsRequest } from '../commands/domains.ts';
import type { RunContext } from '../github/runner.ts';
import type { Values } from '../inputs.ts';
import { matcherOf } from './preview-request.ts';

/** True for the hostname of a domain that a step tells of, as far as its inputs and its site file say. */
export type IsTold = (hostname: string) => boolean;

/** The domains that a deploy tells of: its previews', and the one of its page. */
export function toldByDeploy(values: Partial<Values<'deploy'>>, context: RunContext): IsTold {
  const template = values['preview-domain'];
  const previews = template === undefined ? undefined : matcherOf(template, context);
  const page = URL.parse(values['verify-url'] ?? '')?.hostname;
  return (hostname) => hostname === page || previews?.matches(hostname) === true;
}

/** The domains that a step of the domains action tells of: those of its site file, and those to check. */
export function toldByDomains({ declared, check }: Omit<DomainsRequest, 'environment'>): IsTold {
  const told = new Set([
    ...declared.connections.map(({ hostname }) => hostname),
    ...declared.registrations.map(({ name }) => name),
    ...check,
  ]);
  return (hostname) => told.has(hostname);
}
