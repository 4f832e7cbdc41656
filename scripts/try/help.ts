import { type ActionName, actions } from '../../src/inputs.ts';
import { dialectFields } from '../player/dialect.ts';
import { actionsEnding, type EndName, endNames } from '../player/ends.ts';
import { eventNames } from '../player/events.ts';
import { usualEvents } from './usual.ts';

const indent = (text: string): string => `      ${text}`;

const names = Object.keys(actions) as ActionName[];

/** What the command takes. */
export function help(): string {
  const ends = (Object.keys(endNames) as EndName[]).map((name) => {
    const own = actionsEnding(name);
    const where = own.length === names.length ? '' : ` (${own.join(', ')})`;
    return `  ${name.padEnd(16)}${endNames[name]}${where}`;
  });
  const usual = names.map(
    (name) => `  ${usualEvents[name].padEnd(20)}if none is named, for ${name}`,
  );
  return `Plays an action as GitHub's runner would, against a service and a GitHub on this machine.

  npm run try -- <action> [input=value …] [options]

Examples:
  npm run try -- deploy --event pull_request env-from=STRIPE_KEY --end failure
  npm run try -- deploy --event pull_request.closed
  npm run try -- deploy --event pull_request --fork
  npm run try -- domains mode=plan

Actions: ${names.join(', ')}.
Inputs are those of the action's action.yml. What the local world knows is filled in; an input that is named
without a value (git-url, verify-url, preview-domain …) takes the local world's own.

Events, by name or with their action (pull_request.closed: the pull request is opened first):
${usual.join('\n')}
  ${eventNames.join(', ')}

Ends:
${ends.join('\n')}

Options:
  --event <name>          an event of GitHub: see above
  --fork                  the event's pull request comes from a fork
  --payload <file>        the event's payload as JSON; without it, GitHub's own example
  --end <name>            how it ends: see above (default: success)
  --dialect <name=value>  a choice about how the service behaves; may be repeated; --help dialect lists them
  --world <file>          which projects, domains and records there are: see docs/trying-it.md
  --workspace <folder>    the checkout (default: the folder that you are in)
  --out <folder>          where to write comment, summary, log and page (default: build/try)
  --real                  sends only what you give: for a base-url that is not this machine
  --unfold                shows what is in the log's groups, which GitHub folds
  --debug                 shows debug lines, as a run with debug logging does
  --exit-code             exits with the step's exit code; else with 0 if it was played, and 2 if not`;
}

/** The choices that `--dialect` takes. */
export function dialectHelp(): string {
  const fields = dialectFields().flatMap(({ path, type, description, standard }) => [
    `  ${path} = ${JSON.stringify(standard)}`,
    indent(type),
    ...(description === '' ? [] : [indent(description)]),
  ]);
  return `Choices about the service for --dialect <name=value>, with their defaults:
${fields.join('\n')}`;
}
