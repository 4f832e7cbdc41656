import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { actions } from '../../src/inputs.ts';
import type { Request } from './arguments.ts';

/** What a checkout would have filled. */
export interface Workspace {
  folder: string;
  /** The text of the site file that the step reads; empty if it reads none. */
  siteFile: string;
  /** What a person should know of it. */
  notes: readonly string[];
}

const sample = `environment:
  PUBLIC_ORIGIN: { value: "https://www.example.com", kind: plain }
connected-domains:
  www.example.com: { project: self }
registered-domains:
  example.com:
    project: self
    renewal: true
    dns:
      - { type: A, name: "@", content: 203.0.113.10, ttl: 300 }
      - { type: MX, name: "@", content: mail.example.com, priority: 10 }
`;

/**
 * The workspace of a step: the folder that was asked for; for the action `domains` a sample, if there is no site
 * file to read.
 *
 * @param place the folder that was asked for
 * @param folder where a sample may be put
 */
export async function prepareWorkspace(
  { action, inputs: given, own, real }: Request,
  inputs: Readonly<Record<string, string>>,
  place: string,
  folder: string,
): Promise<Workspace> {
  const config =
    inputs['config'] ?? (action === 'domains' ? actions.domains.inputs.config.default : '');
  if (config === '') return { folder: place, siteFile: '', notes: [] };
  const siteFile = await readFile(join(place, config), 'utf8').catch(() => undefined);
  if (siteFile !== undefined) return { folder: place, siteFile, notes: [] };
  const isAsked = real || 'config' in given || 'check' in inputs || own.includes('check');
  if (isAsked) return { folder: place, siteFile: '', notes: [] };
  const file = join(folder, config);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, sample);
  const notes = [`No ${config} in ${place}, using a sample:`, '', sample];
  return { folder, siteFile: sample, notes };
}
