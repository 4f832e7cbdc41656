/** The features that are one folder each. */
export const slices = [
  'blue-green',
  'checks',
  'deploy',
  'domains',
  'messages',
  'previews',
  'projects',
  'push',
  'variables',
];

/**
 * The plan of the house: each room of src/, and what it may import beside its own files, from the top: a room imports
 * only what stands below it. A room is a folder; a file on the left stands alone, and its line holds instead of its
 * folder's.
 *
 * On the right, `kernel` is a room without the rooms within, `kernel*` is it with all of them, `inputs.ts#ActionName` is
 * one name of a file, `<slice>/intent.ts` is that file of each slice, and all else is a library or a module of Node. What is not here may import nothing.
 */
export const rooms: Readonly<Record<string, string>> = {
  'main.ts': 'run.ts inputs.ts#ActionName',
  'run.ts': 'action action/starts action/post inputs.ts#ActionName github frame',

  // The order of a step, and what the five actions have in common.
  action:
    'action/post action/preflight frame frame/ledgers github inputs inputs.ts kernel* report node:timers/promises service/http.ts service/looks.ts',
  // Only here is the client opened.
  'action/service.ts':
    'action action/post action/preflight frame frame/ledgers github inputs inputs.ts kernel* report node:timers/promises service/client.ts service/http.ts service/clock.ts',
  // What each action does before its first request.
  'action/starts':
    'action/actions action/explain declared deploy domains domains/model follow frame frame/ledgers inputs inputs.ts kernel* messages previews projects push/model recording release service variables variables/model',
  // What must be there before the first request: inputs, masks, the log.
  'action/preflight': 'frame github inputs inputs.ts kernel*',
  // What a step tells that only says what a run would do: nothing of it is loaded by any other.
  'action/explain':
    'action/starts checks/model contract declared deploy frame inputs inputs.ts kernel* push/model recording report report/explain variables/model',
  // What each action does from its first request on.
  'action/actions':
    'action/post action/starts checks checks/model contract declared deploy deploy/model domains domains/model frame frame/ledgers github inputs.ts kernel* messages projects recording release report variables variables/model',
  // The post step.
  'action/post':
    'action action/preflight blue-green checks/model deploy deploy/model frame github inputs inputs.ts kernel* recording records/model release',
  // Slices, from the top: each feature in one folder; what of it decides and words stands in its model/, which does no I/O.
  deploy:
    'blue-green blue-green/model checks checks/model contract declared deploy/model domains domains/model follow follow/model frame github inputs inputs.ts kernel* previews previews/model push recording recording/model records records/model release report service variables variables/model',
  'deploy/model':
    'blue-green/model checks/model contract domains/model follow/model kernel* previews/model recording/model release report variables/model',
  'blue-green':
    'blue-green/model checks checks/model contract domains domains/model frame inputs.ts kernel* previews release service',
  'blue-green/model': 'checks/model contract kernel* release report',
  // What the stages of a release share: the request, the run under way, the report.
  release:
    'checks checks/model contract domains/model follow/model frame kernel* ledger previews previews/model push recording/model report variables/model',
  // Joins the slices' parts of the site file, and reads what a step declares.
  declared:
    'checks/model declared/model domains domains/model frame github inputs inputs.ts kernel* site-file variables/model',
  'declared/model': 'checks/model domains/model kernel* site-file variables/model zod',
  previews: 'contract domains domains/model frame github inputs.ts kernel* previews/model service',
  'previews/model': 'contract domains/model kernel* records/model',
  checks:
    'checks/model contract follow/model frame http inputs.ts kernel* p-limit report site-file undici node:diagnostics_channel',
  'checks/model': 'contract kernel* report site-file zod',
  push: 'contract follow/model frame github inputs.ts kernel* push/git push/model recording records service',
  'push/model': 'contract kernel* report',
  'push/git':
    'kernel* push/model node:child_process node:events node:fs node:fs/promises node:path node:process node:stream node:stream/promises',
  variables: 'contract domains frame kernel* ledger ledger/model p-limit service variables/model',
  'variables/model': 'contract kernel* ledger/model recording/model report site-file zod',
  domains:
    'contract domains/model domains/model/dns frame kernel* ledger ledger/model p-limit service',
  'domains/model': 'contract domains/model/dns kernel* recording/model report site-file zod',
  'domains/model/dns': 'contract ipaddr.js kernel* node:buffer node:url',
  projects:
    'contract follow follow/model frame input-schemas.ts inputs inputs.ts kernel* leven messages report service',
  messages:
    'contract follow follow/model frame input-schemas.ts inputs inputs.ts kernel* recording/model report service node:crypto',
  // Tells GitHub of a run: comments, and the seals of what later runs believe.
  recording: 'frame github kernel* recording/model records records/model report',
  'recording/model': 'kernel* records/model report',
  // Follows what takes its time, by stream or by polling, to its end.
  follow: 'follow/model frame kernel* service',
  'follow/model': 'kernel*',
  // What a step of any action is made of: its host, its outputs, its target, its ledgers.
  frame:
    'contract frame/ledgers github inputs inputs.ts kernel* ledger/model records report report/explain service',
  'frame/ledgers': 'frame github inputs.ts kernel* ledger ledger/model ledger/store',
  // Keeps what was written, for the next run.
  ledger: 'kernel* ledger/model',
  'ledger/model': 'contract kernel* zod node:crypto',
  'ledger/store': 'github ledger/cache node:crypto node:fs node:path node:timers/promises',
  'ledger/cache': 'github http kernel*',
  // YAML with positions; nothing of what it means.
  'site-file': 'kernel* leven yaml zod node:buffer',
  // GitHub's runner: its files, its log, its workspace.
  github: '@actions/* kernel* report node:events node:fs node:os node:path node:timers/promises',
  // GitHub's API: deployments, claims, comparisons.
  records: '@actions/* contract http kernel* records/model report node:crypto node:timers/promises',
  'records/model': 'contract kernel*',
  // Words, tables and Markdown of any report.
  report: 'kernel*',
  'report/explain': 'kernel* report',
  // Speaks HTTP; knows nothing of GitHub, of decisions, or of the machine.
  service:
    'contract eventsource-parser http kernel* service/errors undici zod node:diagnostics_channel node:timers/promises',
  'service/errors': 'contract http kernel* service undici',
  // Every input and output, by action, and what may be written in them.
  'inputs.ts': 'inputs input-schemas.ts contract <slice>/inputs.ts',
  inputs: 'input-schemas.ts contract kernel* <slice>/inputs.ts',
  'input-schemas.ts': 'contract',
  // Opens connections; knows nobody at their other end.
  http: 'contract undici undici/lib/* node:dns node:events node:net node:timers/promises node:tls node:v8 node:vm node:zlib',
  // What everybody may know: safe text, events, error codes, outcomes. No I/O, no clock, no environment.
  kernel: 'contract kernel* node:crypto',
  'kernel/catalogue': 'kernel*',
  'kernel/event': 'contract kernel*',
  'kernel/text': 'contract',
  // Shapes and limits of the interface.
  contract: 'zod',

  // Files of a slice that decide and word: no service, no clock, no environment, in whatever slice they are.
  '<slice>/inputs.ts': 'input-schemas.ts inputs contract <slice>/inputs.ts',
  '<slice>/intent.ts':
    'inputs.ts inputs/input.ts kernel* contract <slice>/intent.ts messages/thread.ts',
  '<slice>/evaluate.ts':
    'kernel* contract follow/model leven projects/glob.ts <slice>/intent.ts <slice>/evaluate.ts <slice>/result.ts',
  '<slice>/result.ts':
    'kernel* contract report follow/model <slice>/intent.ts <slice>/evaluate.ts <slice>/result.ts',
  '<slice>/render.ts':
    'kernel* contract report recording/model <slice>/intent.ts <slice>/evaluate.ts <slice>/result.ts <slice>/render.ts',

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
  from: 'main.ts action/starts/*',
  /** The rooms, files and modules that it may reach. What is not here is loaded later, or not at all. */
  holds: `main.ts run.ts action/run-step.ts action/preflight/* action/starts
    checks/read-checks.ts checks/model/check.ts
    declared
    deploy/claim.ts deploy/facts.ts deploy/plan-recording.ts deploy/pull-request.ts deploy/read-gates.ts
    deploy/read-sweep.ts deploy/records-needed.ts deploy/roll-back-problems.ts deploy/work.ts
    domains/model/availability.ts domains/model/clean-texts.ts domains/model/dns/name.ts
    follow/taught-words.ts follow/model/status.ts
    frame/access.ts frame/action.ts frame/first-look.ts frame/host.ts frame/open-log.ts frame/proxy.ts frame/skip.ts
    frame/target.ts frame/version.ts
    ledger/model/keys.ts previews/read-preview.ts previews/model/hostname.ts
    push/read-bringing.ts push/model/decide.ts push/model/git-url.ts push/model/names.ts push/model/remote-address.ts
    recording/comment-problems.ts recording/subject.ts recording/model/marker.ts
    records/trouble.ts records/model/claim.ts
    site-file/position.ts site-file/problems.ts
    variables/model/desired.ts variables/model/dotenv.ts variables/model/given.ts variables/model/source.ts
    <slice>/inputs.ts <slice>/intent.ts messages/thread.ts
    inputs input-schemas.ts
    contract/base-url.ts contract/commit.ts contract/json.ts contract/limits.ts contract/operations.ts
    kernel kernel/event kernel/text kernel/catalogue/coded.ts
    github/commands.ts github/log.ts github/runner.ts github/workspace.ts
    http service/http.ts service/looks.ts service/clock.ts service/errors.ts service/errors
    undici/lib/api/* undici/lib/dispatcher/* node:*`,
} as const;
