// The least that a first request takes with Node's own client: inputs, masks, the event, and the look at a project's
// variables. What the actions are measured against; not an example of how to write one.
import { readFileSync } from 'node:fs';

const input = (name) => (process.env[`INPUT_${name.toUpperCase()}`] ?? '').trim();
const apiKey = input('api-key');
const projectId = input('project-id');
process.stdout.write(`::add-mask::${apiKey}\n`);

const url = URL.parse(`${input('base-url')}/v1/projects/${projectId}/environment`);
const event = JSON.parse(readFileSync(process.env.GITHUB_EVENT_PATH, 'utf8'));
if (apiKey === '' || url === null || !/^[0-9a-f-]{36}$/.test(projectId) || !event.after) {
  process.stdout.write('::error::An input is wrong\n');
  process.exit(1);
}

// An import statement would touch every getter of the module, and so load what is behind them.
const { request } = process.getBuiltinModule(
  url.protocol === 'https:' ? 'node:https' : 'node:http',
);
const headers = { accept: 'application/json', 'x-api-key': apiKey };
request(url, { headers }, (answer) => {
  answer.resume().on('end', () => process.stdout.write(`${answer.statusCode}\n`));
}).end();
