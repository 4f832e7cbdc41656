/** The features that are one folder each. */
export const slices = ['messages', 'projects'];

/**
 * The plan of the house: each room of src/, and what it may import beside its own files. A room is a folder; a file
 * on the left stands alone, and its line holds instead of its folder's.
 *
 * On the right, `core` is a room without the rooms within, `core/*` is it with all of them, `inputs.ts#ActionName` is
 * one name of a file, `<slice>/intent.ts` is that file of each slice, and all else is a library or a module of Node. What is not here may import nothing.
 */
export const rooms: Readonly<Record<string, string>> = {
  'main.ts': 'run.ts inputs.ts#ActionName',
  'run.ts': 'run run/starts run/post inputs.ts#ActionName github',
  // The order of a step, and what its actions have in common.
  run: 'run/way-in run/ledgers run/post inputs.ts inputs/input.ts inputs/common.ts github commands core/* service/http.ts service/looks.ts node:timers/promises',
  // Only here are the way to the service and the client opened.
  'run/first-look.ts': 'run core/text service/http.ts service/looks.ts service/clock.ts',
  'run/service.ts':
    'run run/way-in run/post github commands core/* service/client.ts service/http.ts service/clock.ts',
  // What each action does before its first request.
  'run/starts':
    'run run/way-in run/deploy run/explain run/ledgers run/actions inputs.ts inputs commands core/* service/looks.ts <slice>/inputs.ts <slice>/intent.ts <slice>/result.ts',
  // What must be there before the first request to the service: inputs, masks, what is declared, whom to skip.
  'run/way-in': 'run inputs.ts inputs/input.ts github commands core/* contract',
  'run/recording': 'run inputs.ts github commands core/* contract',
  'run/ledgers': 'run run/recording inputs.ts github github/ledger-store commands/* core/*',
  'run/deploy':
    'run run/way-in run/recording inputs.ts inputs/input.ts git github commands/* core/* contract',
  // What a step tells that only says what a run would do: nothing of it is loaded by any other.
  'run/explain':
    'run run/starts run/way-in run/deploy run/recording inputs.ts inputs/input.ts contract core/*',
  'run/actions':
    'run run/starts run/way-in run/deploy run/recording run/ledgers run/post inputs.ts github commands/* core/* contract/commit.ts messages projects',
  'run/post':
    'run run/way-in run/recording inputs/deploy.ts inputs.ts inputs/input.ts github commands commands/swap core/*',

  'inputs.ts': 'inputs input-schemas.ts contract <slice>/inputs.ts',
  inputs: 'input-schemas.ts contract core/problem.ts <slice>/inputs.ts',
  'input-schemas.ts': 'contract',
  contract: 'zod',

  // Decides; no I/O, no clock, no environment: Biome refuses what needs no import.
  core: 'contract core/catalogue core/event core/git core/report core/text node:crypto',
  // What is said of errors and warnings; a runner loads none of the prose.
  'core/catalogue': 'core/text',
  'core/checks': 'contract core core/text',
  'core/comment': 'contract core core/preview core/report core/text',
  'core/deployment': 'contract core core/text',
  'core/dns': 'contract core/catalogue core core/text ipaddr.js node:buffer node:url',
  'core/domains':
    'contract core/catalogue core core/dns core/preview core/report core/site-file core/text',
  'core/environment':
    'contract core/catalogue core core/ledger core/site-file core/text node:crypto',
  'core/event': 'contract core core/text',
  'core/explain': 'contract core core/report core/text',
  'core/git': 'contract core/catalogue core core/text',
  'core/history': 'contract core core/text',
  'core/ledger': 'contract core zod node:crypto',
  'core/preview': 'contract core core/report core/text',
  'core/report': 'contract core/*',
  'core/site-file': 'contract core/catalogue core core/checks core/text leven yaml zod node:buffer',
  'core/swap': 'core core/checks',
  'core/text': 'contract',

  // Opens connections; knows nobody at their other end.
  http: 'contract undici undici/lib/* node:buffer node:dns node:events node:net node:timers/promises node:tls node:v8 node:vm node:zlib',
  // Speaks HTTP; knows nothing of GitHub, of decisions, or of the machine.
  service:
    'service/errors http contract core/text/safe.ts eventsource-parser undici undici/lib/* zod node:timers/promises node:diagnostics_channel',
  'service/errors': 'service http contract core/text/cut.ts core/text/safe.ts undici',

  // A slice: one feature in one folder. Its pure files have lines of their own below.
  messages:
    'commands commands/follow service core/* contract inputs/input.ts inputs.ts node:crypto',
  projects:
    'messages/intent.ts commands commands/follow service core/* contract inputs/input.ts inputs.ts leven',
  // Files of a slice that decide and word: no service, no clock, no environment, in whatever slice they are.
  '<slice>/inputs.ts': 'input-schemas.ts inputs contract <slice>/inputs.ts',
  '<slice>/intent.ts':
    'inputs.ts inputs/input.ts core/* contract <slice>/intent.ts messages/thread.ts',
  '<slice>/evaluate.ts':
    'core/* contract leven projects/glob.ts <slice>/intent.ts <slice>/evaluate.ts <slice>/result.ts',
  '<slice>/result.ts': 'core/* contract <slice>/intent.ts <slice>/evaluate.ts <slice>/result.ts',
  '<slice>/render.ts':
    'core/* contract <slice>/intent.ts <slice>/evaluate.ts <slice>/result.ts <slice>/render.ts',

  // Know a Host, not GitHub.
  commands: 'commands/* service core/* contract',
  'commands/checks': 'commands service core/* contract p-limit',
  'commands/deploy': 'commands/* service core/* contract',
  'commands/domains': 'commands/* service core/* contract p-limit',
  'commands/environment': 'commands/* service core/* contract p-limit',
  'commands/follow': 'commands/* service core/* contract',
  'commands/preview': 'commands/* service core/* contract',
  'commands/swap': 'commands/* service core/* contract',

  // Runs git; knows nothing of GitHub's runner or of the service.
  git: 'core/git core/text/safe.ts node:*',

  // The GitHub edge.
  github: 'core/* contract http @actions/* node:*',
  'github/cache': 'github core/* contract http node:*',
  'github/ledger-store': 'github/* core/* contract http node:*',

  // Shares nothing with the client but contract/, so that they cannot agree on a mistake.
  emulator: 'emulator/* contract zod node:*',
  'emulator/cache': 'emulator zod node:*',
  'emulator/git': 'node:*',
  'emulator/github': 'emulator/connections.ts emulator/git emulator/github/* contract ajv node:*',
  'emulator/github/objects': 'node:*',
  'emulator/github/operations': 'emulator/github/* contract zod',
  'emulator/github/state': 'emulator/github/* contract',
  'emulator/runner': 'emulator yaml zod node:*',
  'emulator/service': 'emulator emulator/git emulator/service/* contract zod node:*',
  'emulator/service/domains': 'emulator emulator/service/* contract zod node:*',
  'emulator/service/registered': 'emulator emulator/service/* contract zod node:*',
  'emulator/service/resources': 'emulator emulator/service/* contract zod node:*',
  'emulator/service/turns': 'emulator emulator/git emulator/service/* contract zod node:*',
};

/**
 * The first of the two stages in which a step is loaded: from these files on, by all import statements that are not of
 * types alone. It ends where the first request is written; what is imported by a call comes while the service answers.
 */
export const stage = {
  from: 'main.ts run/starts/*',
  /** The rooms, files and modules that it may reach. What is not here is loaded later, or not at all. */
  holds: `main.ts run.ts run/run-step.ts run/first-look.ts run/action.ts run/target.ts run/version.ts run/starts
    run/way-in/* run/deploy/* run/recording/access.ts run/recording/plan-recording.ts run/recording/subject.ts
    inputs input-schemas.ts commands/host.ts
    contract/base-url.ts contract/commit.ts contract/json.ts contract/limits.ts contract/operations.ts
    core core/checks/check.ts core/event core/git core/text core/environment/* core/catalogue/coded.ts core/comment/marker.ts core/deployment/status.ts
    core/dns/name.ts core/domains/availability.ts core/domains/clean-texts.ts core/domains/public-value.ts
    core/ledger/keys.ts core/preview/claim.ts core/preview/hostname.ts
    core/site-file/position.ts
    <slice>/inputs.ts <slice>/intent.ts messages/thread.ts
    github/commands.ts github/log.ts github/runner.ts github/trouble.ts github/workspace.ts
    http service/http.ts service/looks.ts service/clock.ts service/errors.ts service/errors
    undici/lib/api/* undici/lib/dispatcher/* node:*`,
} as const;
