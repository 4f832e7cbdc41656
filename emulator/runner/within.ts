import { isAbsolute, relative, sep } from 'node:path';

/** Whether a path leads to a folder or into it. On Windows, a path to another drive has no relative form. */
export function isWithin(folder: string, path: string): boolean {
  const route = relative(folder, path);
  return route !== '..' && !route.startsWith(`..${sep}`) && !isAbsolute(route);
}
