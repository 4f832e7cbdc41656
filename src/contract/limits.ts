import type { Hostname, ProjectId } from './safe-text.ts';

/**
 * Every number that the interface states, under the name that the interface uses (section "Limits").
 *
 * "Characters" is not defined there. {@link surelyTooLong} rejects only what is too long by every definition.
 */
export const limits = {
  variableName: { min: 1, max: 128 },
  variableValue: { max: 5120 },
  idempotencyKey: { min: 1, max: 128 },
  initialPrompt: { min: 1, max: 10_000 },
  model: { min: 1, max: 64 },
  effort: { min: 1, max: 64 },
  skillNames: { max: 3 },
  attachmentIds: { max: 20 },
  hostname: { min: 3, max: 253 },
  statusHostnames: { min: 1, max: 50 },
  checkedDomains: { min: 1, max: 20 },
} as const;

/** A connected domain's hostname (section "Connected domains"). */
export const hostnamePattern = /^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)+$/;

/** True of a connected domain's hostname. */
export const isHostname = (text: string): text is Hostname =>
  text.length >= limits.hostname.min &&
  text.length <= limits.hostname.max &&
  hostnamePattern.test(text);

/** A commit: exactly 40 lowercase hex characters (section "Deployments", `versionId`). */
export const commitPattern = /^[0-9a-f]{40}$/;

/** A UUID, such as a project's id (section "Projects"). */
export const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** True of a project's id. */
export const isProjectId = (text: string): text is ProjectId => uuidPattern.test(text);

/** Characters as Unicode code points, which gives the smallest count. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/**
 * True if `text` has more than `max` characters however a service counts them. A text that is too long only in UTF-16
 * units or in bytes is sent.
 */
export function surelyTooLong(text: string, max: number): boolean {
  return text.length > max && codePoints(text) > max;
}

const loopback = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** True if the host of a URL is this machine. */
export function isLoopback(url: URL): boolean {
  return loopback.test(url.hostname);
}

/** A URL or path without trailing slashes. A regular expression would take quadratic time. */
export function withoutSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}
