import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposableSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A server on this machine that only takes requests: none is answered. */
export interface Loopback extends AsyncDisposable {
  url: string;
  /** What a process needs to trust it. */
  env: Readonly<Record<string, string>>;
  /** Resolves with what `look` gives at the moment when the next request is here. */
  next<T>(look: () => T): Promise<T>;
}

async function listen(
  scheme: string,
  env: Loopback['env'],
  open: (listener: RequestListener) => Server,
  close: () => void = () => undefined,
): Promise<Loopback> {
  let take: () => void = () => undefined;
  const server = open(() => take());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `${scheme}://localhost:${port}`,
    env,
    next: (look) =>
      new Promise((resolve) => {
        take = () => {
          take = () => undefined;
          resolve(look());
        };
      }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      close();
    },
  };
}

/** Opens one without TLS. */
export const openPlain = (): Promise<Loopback> => listen('http', {}, createServer);

/** Opens one with TLS, with a certificate that OpenSSL makes for it; undefined if the machine has no OpenSSL. */
export async function openSecure(): Promise<Loopback | undefined> {
  const folder = mkdtempDisposableSync(join(tmpdir(), 'site-bench-'));
  const [key, cert] = [join(folder.path, 'key.pem'), join(folder.path, 'cert.pem')];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  try {
    execFileSync(
      'openssl',
      ['req', ...kind, ...names, '-keyout', key, '-out', cert, '-days', '2'],
      {
        stdio: 'ignore',
      },
    );
  } catch {
    folder.remove();
    return undefined;
  }
  const files = { key: readFileSync(key), cert: readFileSync(cert) };
  return await listen(
    'https',
    { NODE_EXTRA_CA_CERTS: cert },
    (listener) => createSecureServer(files, listener),
    () => folder.remove(),
  );
}
