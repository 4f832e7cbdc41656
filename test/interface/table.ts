import { type Endpoint, testFile } from './endpoints.ts';

function rowOf({ section, method, path, operation, actions, tests }: Endpoint): string {
  const links = tests.map((test) => `[${test}](../${testFile(test)})`);
  const reachedBy = actions.map((action) => `\`${action}\``);
  return `| ${section} | \`${method} ${path}\` | ${reachedBy.join(', ')} | \`${operation}\` | ${links.join(', ')} |`;
}

const check = `## Does your host speak it?

Two requests tell, and neither changes anything. With your API key, and the address of the API without \`/v1\` at its end:

\`\`\`sh
curl -i -H "x-api-key: $KEY" "$BASE_URL/v1/projects?filter=all"
curl -i -H "x-api-key: $KEY" "$BASE_URL/v1/projects/$PROJECT_ID/environment"
\`\`\`

The first answers with success and a JSON array, \`[]\` if there is no project yet:

\`\`\`json
[{ "projectId": "a UUID", "name": "my-site", "provisioningState": "ready" }]
\`\`\`

The second, asked with one of these ids, answers with an object. It has the variables' names, and never a value:

\`\`\`json
{
  "variables": [{ "id": "a UUID", "name": "STRIPE_KEY", "kind": "secret", "version": 3, "preview": true, "production": true }],
  "preview": { "revision": 4, "appliedRevision": 4, "stale": false },
  "production": { "revision": 4, "publishedRevision": 4, "pending": false }
}
\`\`\`

More fields are no harm. \`401\` or \`403\`: the key is wrong, or may not do that. A web page, or \`404\` to the first: this is not the address of the API, or your host speaks another interface, and this action is of no use there.

**Authentication.** Every request carries the API key in the header \`x-api-key\`, and nothing else proves who asks. A key belongs to a workspace and has permissions. How keys are issued is up to the host.

**Git.** Each project is a private git repository, and a deployment is of one of its commits. How that repository is reached is not part of the interface: ask your host. The action can push over https, with a user name and a token, and over ssh. Without an address to push to, it can only deploy commits that are in the repository already.

**Shapes.** Bodies are JSON. What a deploy sends, and what it reads of the answer:

| for | sent | read |
| --- | --- | --- |
| a deployment | \`POST /v1/projects/{id}/deployments\` with \`{ "versionId": "40 hex digits", "idempotencyKey": "…" }\` | 202, \`{ "deploymentId": "…", "status": "queued" }\` |
| a variable | \`POST /v1/projects/{id}/environment\` with \`{ "name", "value", "kind", "preview", "production" }\` | the object above |
| a preview's domain | \`POST /connected-domains\` with \`{ "hostname", "projectId", "idempotencyKey" }\` | \`{ "hostname", "projectId", "state", "instructions", … }\` |

Those of all endpoints stand in [\`src/contract/\`](../src/contract).`;

/** `docs/interface.md`: how to tell whether a host speaks it; each endpoint with the actions that reach it, and a test of it. */
export function renderInterface(endpoints: readonly Endpoint[]): string {
  return [
    '<!-- Generated from test/interface/endpoints.ts by npm run generate. Do not edit. -->',
    '# The interface',
    check,
    '## Endpoint by endpoint',
    `All ${endpoints.length} endpoints of the service: which actions reach each, what the emulator calls it in its journal, and a test that asks for it over HTTP. A test plays every action through \`dist/\` against the emulator and compares what arrived with this table, in both directions.`,
    [
      '| section | endpoint | actions | operation | tested in |',
      '| --- | --- | --- | --- | --- |',
      ...endpoints.map(rowOf),
    ].join('\n'),
    "Three more paths are asked that the interface does not show, because it does not say where progress is read: a deployment's status and its event stream (`deploy`: `status-path`, `events-path`), and a turn's event stream (`message`: `events-path`). A service that does not have them is no failure.",
    '',
  ].join('\n\n');
}
