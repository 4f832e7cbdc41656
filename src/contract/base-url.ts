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
