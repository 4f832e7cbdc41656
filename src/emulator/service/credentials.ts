import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares a given credential with the real one in constant time, as a service should. */
export function sameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
