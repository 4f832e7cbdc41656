import {
  type CheckPlace,
  type ChecksRequest,
  type DeclaredCheck,
  fillCheck,
  type JsonScalar,
} from '../../checks/intent.ts';
import { fillTemplate } from '../../kernel/text/format.ts';

/** The page of `verify-url`, at a hostname; undefined if there is none. */
function pageAt({ declared, place }: ChecksRequest, hostname: string): URL | undefined {
  const page = declared.find(({ from }) => from === 'inputs');
  if (page === undefined || !('url' in page.at)) return undefined;
  const filled = { sha: place.commit, 'preview-domain': hostname };
  return URL.parse(fillTemplate(page.at.url, filled)) ?? undefined;
}

/** The placeholders and origin of checks at a hostname, the value of `{preview-domain}`. */
function placeAt(checks: ChecksRequest, hostname: string): CheckPlace {
  const origin = pageAt(checks, hostname)?.origin ?? `https://${hostname}`;
  return { ...checks.place, hostname, origin };
}

/** The address with another hostname if it is at one of these. */
function transposed(url: URL, domains: readonly string[], hostname: string): URL {
  if (!domains.includes(url.hostname)) return url;
  const moved = new URL(url);
  moved.hostname = hostname;
  return moved;
}

/**
 * The checks before the move: those of a domain that moves, at the preview's domain.
 *
 * @param domains the domains that move
 * @param preview the preview's domain
 */
export function checksBefore(
  checks: ChecksRequest,
  domains: readonly string[],
  preview: string,
): ChecksRequest {
  const place = placeAt(checks, preview);
  const at = (one: DeclaredCheck): DeclaredCheck['at'] => {
    const filled = fillCheck(one, place);
    if ('path' in one.at || 'problem' in filled) return one.at;
    const url = transposed(filled.url, domains, preview);
    return url === filled.url ? one.at : { url: url.href };
  };
  const origin = URL.parse(place.origin ?? '');
  return {
    ...checks,
    declared: checks.declared.map((one) => ({ ...one, at: at(one) })),
    place:
      origin === null ? place : { ...place, origin: transposed(origin, domains, preview).origin },
  };
}

/** Equal for two checks with the same request and expectation. */
function keyOf(declared: DeclaredCheck, place: CheckPlace): string {
  const filled = fillCheck(declared, place);
  if ('problem' in filled) return JSON.stringify([declared, filled]);
  const { url, ...wanted } = filled;
  const rest: Record<string, JsonScalar | object> = { ...wanted };
  return JSON.stringify([url.href, rest]);
}

/** The checks at the domains themselves, in one group per hostname, without duplicates. */
export function checksAt(checks: ChecksRequest, domains: readonly string[]): ChecksRequest[] {
  const seen = new Set<string>();
  return domains.flatMap((hostname) => {
    const place = placeAt(checks, hostname);
    const declared = checks.declared.filter((one) => {
      const key = keyOf(one, place);
      const isNew = !seen.has(key);
      seen.add(key);
      return isNew;
    });
    return declared.length === 0 ? [] : [{ ...checks, declared, place }];
  });
}

/** The checks at some domains that show whether their project works, whatever its commit is. */
export function checksOfProject(
  checks: ChecksRequest,
  domains: readonly string[],
): ChecksRequest[] {
  return checksAt(checks, domains).flatMap((group) => {
    const { declared, place } = group;
    const relevant = declared.filter((one) => {
      const filled = fillCheck(one, place);
      return !one.namesCommit && 'url' in filled && domains.includes(filled.url.hostname);
    });
    return relevant.length === 0 ? [] : [{ ...group, declared: relevant }];
  });
}
