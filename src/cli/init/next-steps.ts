import type { Input } from '../../inputs/input.ts';
import { variableOf } from '../commands.ts';
import { previewSecret } from '../secret-names.ts';
import { setupCommands } from '../setup-commands.ts';
import type { Settings } from './settings.ts';

/** A word of a command line, as a shell reads it. */
export const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** The commands that set what the workflows need. Secrets are in none of them: `gh` reads those from standard input. */
export function setCommands(settings: Settings, names: readonly string[]): string[] {
  const secrets = ['SITE_API_KEY', 'SITE_GIT_TOKEN', ...names];
  if (settings['preview-domain'] !== undefined) secrets.push(...names.map(previewSecret));
  const commands = secrets.map((name) => `gh secret set ${name}`);
  for (const [input, { secret }] of Object.entries<Input>(setupCommands.init.inputs)) {
    const value = settings[input as keyof Settings];
    if (secret || value === undefined) continue;
    commands.push(`gh variable set ${variableOf(input)} --body ${quoted(String(value).trim())}`);
  }
  return commands;
}
