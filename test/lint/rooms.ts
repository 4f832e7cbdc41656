/**
 * The plan of the house: the rooms of src/, from the top. A room is a folder, or a file beside main.ts; it imports only
 * itself and what stands below it, types included, and of libraries and Node's modules those on its right. A folder
 * within a room that needs others has a line of its own.
 */
export const rooms: Readonly<Record<string, string>> = {
  // The command for terminals and for other CIs.
  cli: 'node:events node:fs node:net node:os node:path node:readline node:stream node:stream/promises node:timers/promises node:tty node:util yaml',
  // The actions, and their start on GitHub's runner.
  'main.ts': '',
  // The outputs of all actions, and the schema of a result: no run loads it.
  'outputs.ts': 'zod',
  // The table of all actions, for who starts, documents or completes one by its name.
  'inputs.ts': '',
  actions: '',
  // Slices: each feature in one folder, the ones above resting on those below.
  // What is live and what waits, which the command shows.
  status: '',
  'status/outputs.ts': 'zod',
  deploy: '',
  'deploy/outputs.ts': 'zod',
  // The slices' parts of the site file, joined.
  declared: 'zod',
  checks: 'node:diagnostics_channel node:tls p-limit undici zod',
  push: '',
  'push/git':
    'node:child_process node:events node:fs node:fs/promises node:path node:process node:stream node:stream/promises',
  variables: 'p-limit zod',
  domains: 'node:buffer node:net node:url p-limit zod',
  projects: 'leven',
  'projects/outputs.ts': 'zod',
  messages: 'node:crypto',
  'messages/outputs.ts': 'zod',
  // What earlier runs released, and the run's own record of it.
  releases: 'node:events',
  // Comments; and whatever takes its time, followed to its end.
  comments: '',
  follow: '',
  // What a step of any action is made of.
  step: 'node:timers/promises',
  ledger: 'node:crypto node:fs node:path node:timers/promises zod',
  'site-file': 'leven node:buffer yaml zod',
  // GitHub's runner and its API, what a platform is, what two platforms do alike, and the words of any report.
  github: '@actions/* node:crypto node:events node:fs node:os node:timers/promises',
  'platform.ts': '',
  'replace-file.ts': 'node:fs node:path node:timers/promises',
  'machine.ts': 'node:fs node:path',
  report: '',
  service: 'eventsource-parser node:diagnostics_channel node:timers/promises undici zod',
  inputs: '',
  'input-schemas.ts': '',
  'output-shapes.ts': 'zod',
  http: 'node:dns node:events node:net node:stream node:timers/promises node:tls node:v8 node:vm node:zlib undici undici/lib/**',
  kernel: 'node:crypto',
  contract: 'zod',
};

/**
 * What does no I/O, asks no clock and knows no environment, wherever it stands: it imports only its like, and of
 * libraries those that do none either. Biome refuses it the globals.
 */
export const pure = {
  files: `contract/* inputs/* kernel/** report/** site-file/* inputs.ts outputs.ts input-schemas.ts output-shapes.ts **/model/* domains/dns/* releases/decisions.ts
    deploy/job.ts step/skip.ts {*,deploy/previews}/{*inputs,intent,explain}.ts */{site-file,plan,evaluate,result,render,outputs}.ts`,
  libraries: 'leven node:buffer node:crypto node:net node:url yaml zod',
} as const;

/** Shares nothing with the client but contract/, so that they cannot agree on a mistake. */
export const emulator =
  '@actions/expressions @actions/workflow-parser @actions/workflow-parser/** ajv leven marked node:* node:*/* p-limit yaml zod';

/**
 * The first of the two stages in which a step is loaded: from these files on, by all import statements that are not of
 * types alone. It ends where the first request is written; what is imported by a call comes while the service answers.
 */
export const stage = {
  from: 'main.ts actions/{deploy,domains,env-sync,message,projects}.ts',
  /** What it may reach. What is not here is loaded later, or not at all. */
  holds: `main.ts actions/{deploy,domains,env-sync,message,projects}.ts declared/*
    checks/read-checks.ts follow/model/{service,status}.ts domains/model/availability.ts domains/dns/name.ts
    deploy/{job,pull-state,read-job}.ts
    step/{access,open-step,read-values,skip,step,version}.ts report/log-entry.ts
    ledger/model/keys.ts deploy/previews/model/preview-hostname.ts push/{read-push,model/git-url}.ts
    comments/comment-problems.ts github/model/pull-request.ts site-file/position.ts
    variables/{read-variables,model/{desired,source,variable-name}}.ts {*,deploy/previews}/{*inputs,intent}.ts inputs.ts inputs/* input-schemas.ts
    contract/{commit,json-value,limits,operations}.ts kernel/** github/runner/{log,runner,webhook}.ts machine.ts
    http/* service/{http,clock,errors}.ts
    undici/lib/api/* undici/lib/dispatcher/* node:* node:*/*`,
} as const;
