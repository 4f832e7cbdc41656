import { existsSync, statfsSync } from 'node:fs';

/** The files by which Docker and Podman mark a container. */
const marks = ['/.dockerenv', '/run/.containerenv'];

/** The type that Linux gives the file system of most other containers. */
const overlay = 0x79_4c_76_30;

/** True in a container, which may have a terminal without a person, and none of the variables of its CI. */
export const isInContainer = (): boolean =>
  process.platform === 'linux' && (marks.some(existsSync) || statfsSync('/').type === overlay);
