const loopback = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** True if the host of a URL is this machine itself. */
export function isLoopback(url: URL): boolean {
  return loopback.test(url.hostname);
}

/** A URL or path without the slashes at its end, found from that end: a pattern would try each slash before it. */
export function withoutSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}
