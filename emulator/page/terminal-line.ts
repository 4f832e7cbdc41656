import { styleText } from 'node:util';
import { printable } from './html.ts';
import { isFailed, type RequestRow } from './request-log.ts';

const two = (number: number): string => String(number).padStart(2, '0');

/** A time of day on this machine's clock: `09:05:07`. */
export function timeOfDay(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
}

const uuid = /([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** A path with its long ids cut to their first characters. */
export const shortPath = (path: string): string => path.replace(uuid, '$1…');

/** One line about a request that has ended, for a terminal: `09:05:07  service  POST 201   34 ms  /v1/projects`. */
export function terminalLine(row: RequestRow): string {
  const { at, side, method, path, status, ms } = row;
  const code = String(status ?? '---');
  const shown = styleText(isFailed(row) ? 'red' : 'green', code);
  const end = `${String(ms ?? 0).padStart(6)} ms`;
  const words = `${printable(method, 20).padEnd(6)} ${shown} ${end}  ${printable(shortPath(path), 200)}`;
  return `${styleText('dim', timeOfDay(at))}  ${side.padEnd(7)}  ${words.replace(/[\t\n]/g, ' ')}`;
}
