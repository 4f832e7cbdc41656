import { type Endpoint, testFile } from './endpoints.ts';
import { renderQuestions } from './questions.ts';

function rowOf({ method, path, operation, actions, tests }: Endpoint): string {
  const links = tests.map((test) => `[${test}](../${testFile(test)})`);
  const reachedBy = actions.map((action) => `\`${action}\``);
  return `| \`${method} ${path}\` | ${reachedBy.join(', ')} | \`${operation}\` | ${links.join(', ')} |`;
}

const check = `## Does your host speak it?

Send two requests, which change nothing. \`KEY\` is your API key, \`BASE_URL\` the address of the API without \`/v1\`, and \`PROJECT_ID\` one of the ids that the first request returns:

\`\`\`sh
curl -i -H "x-api-key: $KEY" "$BASE_URL/v1/projects?filter=all"
curl -i -H "x-api-key: $KEY" "$BASE_URL/v1/projects/$PROJECT_ID/environment"
\`\`\`

The first returns a JSON array, \`[]\` if there is no project yet:

\`\`\`json
[{ "projectId": "a UUID", "name": "my-site", "provisioningState": "ready" }]
\`\`\`

The second returns an object with the variables' names, and never a value:

\`\`\`json
{
  "variables": [{ "id": "a UUID", "name": "STRIPE_KEY", "kind": "secret", "version": 3, "preview": true, "production": true }],
  "preview": { "revision": 4, "appliedRevision": 4, "stale": false },
  "production": { "revision": 4, "publishedRevision": 4, "pending": false }
}
\`\`\`

More fields are fine. Each write of a variable changes its \`version\`. \`401\` or \`403\`: the key is wrong, or lacks a permission. A web page, or \`404\` to the first: this is not the address of the API, or your host has another interface, and you can't use this action.

**Authentication.** Every request has the API key in the header \`x-api-key\`. A key belongs to a workspace and has permissions. Your host issues keys.

**Git.** Each project is a private git repository, and a deployment deploys one of its commits. The address of the repository is not part of the interface: your host provides it. The action pushes over https, with a user name and a token, or over ssh. Without an address, it can only deploy commits that are in the repository already.

**Shapes.** Bodies are JSON. For a deployment, the action sends \`POST /v1/projects/{id}/deployments\` with \`{ "versionId": "40 hex digits", "idempotencyKey": "…" }\`, and reads 202 with \`{ "deploymentId": "…", "status": "queued" }\`. All shapes are in [\`src/contract/\`](../src/contract).`;

const open =
  'Where the interface leaves a question open, services differ. The *fields* are those of the [emulator](trying-it.md), [`answers.ts`](../test/interface/answers.ts) has their plausible values. [A test](../test/dist/services.test.ts) pushes, opens and closes a pull request, and reports drift, until each two values have met in one service.';

/**
 * `docs/interface.md`: how to tell whether a host speaks it; each endpoint with the actions that reach it, and a test of it; and each
 * question that it leaves open.
 */
export function renderInterface(endpoints: readonly Endpoint[]): string {
  return [
    '<!-- Generated from test/interface/ by npm run generate. Do not edit. -->',
    '# The interface',
    check,
    '## Endpoint by endpoint',
    `All ${endpoints.length} endpoints of the service, with the actions that use each, its name in the emulator's journal, and a test that requests it over HTTP. A test runs every action through \`dist/\` against the emulator and compares the requests with this table, in both directions.`,
    [
      '| endpoint | actions | operation | tested in |',
      '| --- | --- | --- | --- |',
      ...endpoints.map(rowOf),
    ].join('\n'),
    "The interface doesn't define where progress is read. So the actions also request three paths outside it: a deployment's status and event stream (`deploy`), and a turn's event stream (`message`). A service can lack them, or have [other paths](reference.md#the-input-service).",
    '## What it leaves open',
    open,
    renderQuestions(),
    '',
  ].join('\n\n');
}
