import { execFile } from 'node:child_process';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A certificate for `site.localhost` that signs itself, and its key. */
export interface Certificate {
  key: string;
  cert: string;
}

/** Makes a certificate that is good for some days from now, or ended so many days ago. */
export async function makeCertificate(days: number): Promise<Certificate> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'site-certificate-'));
  const file = (name: string) => join(folder.path, name);
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const request = [...curve, '-keyout', file('key'), '-out', file('request')];
  await run('openssl', ['req', ...request, '-subj', '/CN=site.localhost']);
  await writeFile(file('names'), 'subjectAltName=DNS:site.localhost\n');
  const signed = ['-signkey', file('key'), '-extfile', file('names'), '-out', file('cert')];
  await run('openssl', ['x509', '-req', '-in', file('request'), '-days', String(days), ...signed]);
  const [key, cert] = await Promise.all([
    readFile(file('key'), 'utf8'),
    readFile(file('cert'), 'utf8'),
  ]);
  return { key, cert };
}

/** Has this process trust a certificate until it is disposed of. */
export function trustCertificate({ cert }: Certificate): Disposable {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, cert]);
  return { [Symbol.dispose]: () => setDefaultCACertificates(before) };
}
