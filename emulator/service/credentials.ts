import { hash, timingSafeEqual } from 'node:crypto';

/** Compares a given credential with the real one in constant time, as a service should. */
export function sameText(a: string, b: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(a), digest(b));
}
