import type { ReceivedRequest, Reply } from './exchange.ts';

/** What people open on GitHub, and where the emulator's page shows it. */
const places: readonly (readonly [RegExp, string])[] = [
  [/^\/$/, ''],
  [/^\/favicon\.ico$/, 'favicon.ico'],
  [/^\/([\w.-]+\/[\w.-]+)\/actions(?:\/workflows\/[\w.-]+)?$/, '#runs-title'],
  [/^\/[\w.-]+\/[\w.-]+\/actions\/runs\/(\d+)(?:\/.*)?$/, 'runs/$1'],
  [/^\/([\w.-]+\/[\w.-]+)\/commits?\/([0-9a-f]{40})$/, 'commits/$1/$2'],
  [/^\/(?!repos\/)([\w.-]+\/[\w.-]+)\/(?:pull|issues)\/\d+$/, '#github-title'],
];

/** Sends a browser from a page of GitHub to that of the emulator. Undefined for any other request. */
export function sendToPage(
  { method, path, headers: { host = '' } }: ReceivedRequest,
  pageUrl: string | null,
): Reply | undefined {
  const [pattern, place = ''] = places.find(([one]) => one.test(path)) ?? [];
  if (method !== 'GET' || pattern === undefined) return undefined;
  // A page of another name may lead here by DNS (rebinding): it learns nothing.
  const isOwn = /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(host);
  if (pageUrl === null || !isOwn) return { status: 404, body: 'The emulator has no page here.\n' };
  return { status: 302, headers: { location: `${pageUrl}${path.replace(pattern, place)}` } };
}
