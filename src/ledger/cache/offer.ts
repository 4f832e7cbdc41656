import type { StepEnvironment } from '../../github/runner.ts';

/** The runner's cache, as its variables describe it. */
export interface CacheOffer {
  /** `newer`: GitHub's own, since 2025; `older`: that of GitHub Enterprise Server, act, Gitea and Forgejo. */
  protocol: 'newer' | 'older';
  /** Where its service is; the path ends with a slash. */
  address: URL;
  /** Empty if the runner gives none: some older services know their runs by the address alone. */
  token: string;
  mayRead: boolean;
  mayWrite: boolean;
}

/** The values of `ACTIONS_CACHE_MODE` that forbid something; any other, or none, forbids nothing. */
const unreadable: ReadonlySet<string> = new Set(['none', 'write-only']);
const unwritable: ReadonlySet<string> = new Set(['none', 'read']);

/** Whether the newer service can be there: GitHub itself, with its data residency, and nobody's own server. */
function isGitHub(serverUrl: string): boolean {
  const hostname = URL.parse(serverUrl)?.hostname ?? '';
  return /^github\.com$|\.ghe\.com$|\.localhost$/.test(hostname);
}

/** An address that ends with a slash; undefined if it is none that could be asked. */
function readAddress(text: string): URL | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

/**
 * Reads from a step's environment where the runner's cache is and which protocol it speaks. The rules are those of
 * GitHub's own client, so that what serves that client serves us.
 *
 * @returns undefined if the runner offers none that can be asked
 */
export function cacheOfferOf(environment: StepEnvironment): CacheOffer | undefined {
  const get = (name: string) => environment[name] ?? '';
  const isNewer =
    get('ACTIONS_CACHE_SERVICE_V2') !== '' &&
    isGitHub(get('GITHUB_SERVER_URL') || 'https://github.com');
  const address = readAddress(get(isNewer ? 'ACTIONS_RESULTS_URL' : 'ACTIONS_CACHE_URL'));
  const token = get('ACTIONS_RUNTIME_TOKEN');
  if (address === undefined || (isNewer && token === '')) return undefined;
  const mode = get('ACTIONS_CACHE_MODE').trim().toLowerCase();
  return {
    protocol: isNewer ? 'newer' : 'older',
    address,
    token,
    mayRead: !unreadable.has(mode),
    mayWrite: !unwritable.has(mode),
  };
}
