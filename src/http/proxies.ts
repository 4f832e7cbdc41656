import type { Problem } from '../kernel/diagnostic.ts';

/** An environment variable that sets a proxy. */
interface ProxyVariable {
  /** As it is set, in lower or upper case. */
  name: string;
  /** Undefined if the value is not the URL of a proxy. */
  proxy: URL | undefined;
}

/** Decodes a part of a URL, in which a `%` that encodes nothing stands for itself. */
const decode = (text: string): string =>
  decodeURIComponent(text.replace(/%(?![\da-f]{2})/gi, '%25'));

/** Reads a proxy's URL as git does: without a scheme it is http, and a path is ignored. Any SOCKS proxy gets hostnames. */
function readProxy(value: string): URL | undefined {
  const full = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const url = URL.parse(full.replace(/^socks5h:/i, 'socks5:'));
  if (url === null || !/^(https?|socks5?):$/.test(url.protocol) || url.host === '')
    return undefined;
  try {
    url.username = encodeURIComponent(decode(url.username));
    url.password = encodeURIComponent(decode(url.password));
  } catch {
    return undefined;
  }
  url.pathname = '/';
  url.search = '';
  url.hash = '';
  return url;
}

/** The variable that sets the proxy for each scheme. Lower case wins, and an empty variable is not set. */
export function readProxies(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<'http' | 'https', ProxyVariable | undefined>> {
  const read = (lower: string): ProxyVariable | undefined => {
    for (const name of [lower, lower.toUpperCase()]) {
      const value = environment[name]?.trim() ?? '';
      if (value !== '') return { name, proxy: readProxy(value) };
    }
    return undefined;
  };
  return { http: read('http_proxy'), https: read('https_proxy') };
}

/** Mistakes in the proxy variables: the service, a check or GitHub may be reached through them. */
export const proxyProblems = ({
  environment,
}: {
  environment: Readonly<Record<string, string | undefined>>;
}): Problem[] =>
  Object.values(readProxies(environment)).flatMap((set) => {
    if (set === undefined || set.proxy !== undefined) return [];
    const message =
      'is set in the environment but is not the URL of a proxy, such as http://proxy.example.com:3128';
    return [{ input: set.name, code: 'SD1010', message }];
  });
