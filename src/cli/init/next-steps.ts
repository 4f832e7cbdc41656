import { variableOf } from '../commands.ts';
import { previewSecret } from '../secret-names.ts';
import type { Settings } from './settings.ts';

/** A word of a command line, as a shell reads it. */
export const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** The inputs that are variables on GitHub. */
const variables = [
  'base-url',
  'project-id',
  'git-url',
  'preview-projects',
  'preview-domain',
] as const satisfies (keyof Settings)[];

/** The commands that set what the workflows need. Secrets are in none of them: `gh` reads those from standard input. */
export function setCommands(settings: Settings, names: readonly string[]): string[] {
  const secrets = ['SITE_API_KEY', 'SITE_GIT_TOKEN', ...names];
  if (settings['preview-domain'] !== undefined) secrets.push(...names.map(previewSecret));
  const commands = secrets.map((name) => `gh secret set ${name}`);
  for (const input of variables) {
    const value = settings[input];
    if (value === undefined) continue;
    commands.push(`gh variable set ${variableOf(input)} --body ${quoted(String(value).trim())}`);
  }
  return commands;
}
