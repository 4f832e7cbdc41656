const loopback = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** True if the host of a URL is this machine itself. */
export function isLoopback(url: URL): boolean {
  return loopback.test(url.hostname);
}
