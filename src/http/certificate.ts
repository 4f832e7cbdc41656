import { TLSSocket } from 'node:tls';

/**
 * When the server's certificate expires, in milliseconds since the epoch; undefined if the connection has none, or
 * resumes a session.
 */
export function certificateEnd(socket: unknown): number | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  const end = Date.parse(socket.getPeerCertificate().valid_to ?? '');
  return Number.isNaN(end) ? undefined : end;
}
