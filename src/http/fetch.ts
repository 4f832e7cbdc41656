import type { RequestInit } from 'undici';
import { fetch } from 'undici/lib/web/fetch/index.js';
import type { Pool } from './pool.ts';

/** A `fetch` that sends its requests over the connections of a pool. */
export function fetchOver({ dispatcher }: Pool): typeof fetch {
  return (input, init?: RequestInit) => fetch(input, { ...init, dispatcher });
}
