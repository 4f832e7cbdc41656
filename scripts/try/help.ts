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
  const usual = names.map((name) => `  ${usualEvents[name].padEnd(20)}default for ${name}`);
  return `Runs an action as GitHub's runner would, against a local service and a local GitHub.

  npm run try -- <action> [input=value …] [options]
  npm run try -- --workflow <file> [--event <name>] [options]

Examples:
  npm run try -- deploy --event pull_request env-from=STRIPE_KEY preview-domain preview-projects --end failure
  npm run try -- deploy --event pull_request.closed
  npm run try -- deploy --event pull_request --fork
  npm run try -- domains mode=plan

Actions: ${names.join(', ')}.
Inputs are those of the action's action.yml. Those that the emulator provides are filled in; an input without a
value (git-url, verify-url, preview-domain …) gets the emulator's value.

Events, by name or with their action (pull_request.closed: the pull request is opened first):
${usual.join('\n')}
  ${eventNames.join(', ')}

Ends:
${ends.join('\n')}

Options:
  --event <name>          a GitHub event: see above
  --fork                  the event's pull request comes from a fork
  --payload <file>        the event's payload as JSON (default: GitHub's example)
  --end <name>            the end of the run: see above (default: success)
  --dialect <name=value>  a setting of the service's behavior; may be repeated; --help dialect lists them
  --world <file>          the projects, domains and records to create: see docs/trying-it.md
  --workspace <folder>    the checkout, whose commit is deployed (default: the current folder, with a sample commit)
  --workflow <file>       plays a workflow file of yours once, with the commit of the workspace
  --secrets <file>        secrets for --workflow, as lines NAME=value; missing ones get fake values
  --vars <file>           variables for --workflow, as lines NAME=value
  --run-steps             runs the run: steps of --workflow too, as you: text of the event may become a command
  --out <folder>          the output folder for comment, issues, summary, log and page (default: build/try)
  --real                  uses only your inputs, for a base-url that is not this machine
  --unfold                expands the log's groups, which GitHub collapses
  --debug                 shows debug lines, as with debug logging
  --exit-code             exits with the step's exit code (default: 0 if the step ran, 2 if it did not)`;
}

/** The choices that `--dialect` takes. */
export function dialectHelp(): string {
  const fields = dialectFields().flatMap(({ path, type, description, standard }) => [
    `  ${path} = ${JSON.stringify(standard)}`,
    indent(type),
    ...(description === '' ? [] : [indent(description)]),
  ]);
  return `Settings of the service for --dialect <name=value>, with their defaults:
${fields.join('\n')}`;
}
