import { TLSSocket } from 'node:tls';

/**
 * When the certificate of the other side ends, in milliseconds since the epoch; undefined if the connection has none,
 * or continues a session, which shows none.
 */
export function certificateEnd(socket: unknown): number | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  const end = Date.parse(socket.getPeerCertificate().valid_to ?? '');
  return Number.isNaN(end) ? undefined : end;
}
