import type { Endpoint } from './endpoints.ts';

function rowOf({ section, method, path, operation, actions, tests }: Endpoint): string {
  const links = tests.map((test) => `[${test}](../test/${test})`);
  const reachedBy = actions.map((action) => `\`${action}\``);
  return `| ${section} | \`${method} ${path}\` | ${reachedBy.join(', ')} | \`${operation}\` | ${links.join(', ')} |`;
}

/** `docs/interface.md`: each endpoint with the actions that reach it, and a test of it. */
export function renderInterface(endpoints: readonly Endpoint[]): string {
  return [
    '<!-- Generated from test/interface/endpoints.ts by npm run generate. Do not edit. -->',
    '# The interface, endpoint by endpoint',
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
