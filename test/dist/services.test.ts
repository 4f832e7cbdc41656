import { describe, expect, it } from 'vitest';
import { repository } from '../git/support.ts';
import { answers, type Service, services } from '../interface/answers.ts';
import { readable } from './run-step.ts';
import {
  hostname,
  records,
  type ServiceWorld,
  secrets,
  showsEnd,
  startService,
} from './services-world.ts';

type Expect = typeof expect;

/** A push is deployed, and a page shows it. */
async function push(world: ServiceWorld, service: Service, expect: Expect) {
  const { emulator, github, live, settings } = world;
  const template = await live.head();
  // What is live before, so that the page's new content is a proof.
  await emulator.world.project(live.id).deploy(template, null).ended;
  const sha = await world.push({ 'index.html': '<h1>Pushed just now</h1>' });
  // Its answer is lost, so what a repeated key does is met.
  emulator.faults.add({ operation: 'createDeployment', kind: 'reset-after' });
  const address = new URL(live.gitAddress);
  if (service.gitUsername !== null) address.username = service.gitUsername;
  const payload = { ref: 'refs/heads/main', after: sha, repository: { default_branch: 'main' } };
  const { outputs } = await world.run({
    event: { name: 'push', payload },
    inputs: {
      'project-id': live.id,
      'git-url': address.href,
      'git-token': emulator.gitToken,
      'git-force': template,
      'env-from': 'TOKEN',
      'env-ledger': '.site/ledger',
      'verify-url': live.siteUrl,
      'verify-contains': 'Pushed just now',
      service: settings,
      ...(showsEnd(service) === undefined && { timeout: '20s' }),
    },
  });
  // Only where a stream breaks off each time may it stay unknown.
  const isLive = showsEnd(service) !== undefined || outputs['outcome'] === 'succeeded';
  const page = await (await fetch(live.sitePathUrl)).text();
  const [record] = github.deployments(repository);
  expect
    .soft(
      {
        outcome: outputs['outcome'],
        error: outputs['error'],
        live: outputs['live-commit'],
        page: page.includes('Pushed just now'),
        deployed: [...new Set(live.deployments.slice(1).map(({ commit }) => commit))],
        value: live.variables.map(({ name, value }) => [name, value]),
        record: record?.statuses.at(-1)?.state,
        once: live.deployments.length === 2 || outputs['deployment-repeated'] === 'true',
      },
      'push',
    )
    .toEqual({
      ...(isLive
        ? { outcome: 'succeeded', error: '', live: sha, record: 'success' }
        : {
            outcome: 'timed-out',
            error: expect.any(String),
            live: '',
            record: 'error',
          }),
      page: true,
      deployed: [sha],
      value: [['TOKEN', secrets.TOKEN]],
      once: true,
    });
}

/** A pull request gets a preview, and loses it when it is closed. */
async function preview(world: ServiceWorld, service: Service, expect: Expect) {
  const { emulator, github, settings } = world;
  const project = await emulator.world.createProject();
  const inputs = {
    'project-id': project.id,
    'preview-domain': 'pr-{number}.preview.example.com',
    'env-from': 'TOKEN',
    'environment-name': 'preview',
    service: settings,
    // Nothing but time ends a run that waits for production's flag, or for a stream that breaks off each time.
    ...(!showsEnd(service) && { timeout: '20s' }),
  };
  const comments = () => github.comments(repository, 7).map(({ body = '' }) => body);
  // Long enough that who reports a success too early is seen.
  emulator.dialect.buildMs = 1500;
  const opened = await world.run({ event: await world.pullRequest(project, 'opened'), inputs });
  emulator.dialect.buildMs = 0;
  const isShown = showsEnd(service) ?? opened.outputs['outcome'] === 'succeeded';
  const [comment = '', ...others] = comments();
  const serves = emulator.world.domains.find(hostname)?.projectId;
  expect
    .soft(
      {
        outcome: opened.outputs['outcome'],
        url: opened.outputs['preview-url'],
        comment: comment.includes('is live'),
        isOver: project.deployments[0]?.endedAt !== null,
        others,
        serves,
      },
      `preview ${opened.outputs['error']}`,
    )
    .toEqual({
      outcome: isShown ? 'succeeded' : expect.stringMatching(/^(unconfirmed|timed-out)$/),
      url: isShown ? `https://${hostname}` : '',
      comment: isShown,
      // Where nothing shows its end, the run may end first.
      isOver: isShown ? true : expect.any(Boolean),
      others: [],
      serves: project.id,
    });
  const closed = await world.run({ event: await world.pullRequest(project, 'closed'), inputs });
  expect
    .soft(
      {
        outcome: closed.outputs['outcome'],
        comments: comments().length,
        removed: comments()[0]?.includes('is removed'),
        serves: emulator.world.domains.find(hostname)?.projectId,
      },
      `closed ${closed.outputs['error']}`,
    )
    .toEqual({ outcome: 'cleaned-up', comments: 1, removed: true, serves: null });
}

/** A schedule syncs variables and domains, and reports the drift after it. */
async function schedule(world: ServiceWorld, service: Service, expect: Expect) {
  const { emulator, github, live, settings } = world;
  const other = await emulator.world.createProject();
  const { zone } = emulator.world.registerDomain('one.example', { projectId: live.id });
  emulator.world.registerDomain('two.example');
  for (const record of records) zone.put(record);
  const www = zone.put({ type: 'A', name: 'www', content: '203.0.113.9' });
  live.setVariable({ name: 'STALE', value: 'somebody set this' });
  await world.declare({
    environment: {
      TOKEN: {},
      STALE: {},
      TAKEN: {},
      'DASH-NAME': { value: 'fake', kind: 'plain' },
    },
    'connected-domains': { 'www.example.com': { project: 'self' } },
    'registered-domains': {
      'one.example': {
        renewal: true,
        project: 'self',
        dns: [
          ...records,
          { type: 'A', name: 'www', content: '203.0.113.10' },
          { type: 'MX', name: 'new', content: 'new.example.net', priority: 20 },
        ],
      },
      'two.example': { project: null },
    },
  });
  const event = { name: 'schedule', payload: {} };
  const given = { 'project-id': live.id, config: '.github/site.yml' };
  const variables = { ...given, 'env-ledger': '.site/ledger' };

  // Somebody else writes the same variables in the same moment.
  emulator.faults.add({
    operation: 'replaceVariable',
    kind: 'hold',
    until: async () => live.setVariable({ name: 'STALE', value: 'somebody set this again' }),
  });
  let isTaken = false;
  emulator.faults.add({
    operation: 'createVariable',
    kind: 'hold',
    times: Number.POSITIVE_INFINITY,
    until: async () => {
      if (!isTaken) live.setVariable({ name: 'TAKEN', value: 'somebody was first' });
      isTaken = true;
    },
  });
  const synced = await world.run({ action: 'env-sync', event, inputs: variables });
  emulator.faults.clear();
  const isDashed = service.variableNames === 'any';
  const isDouble = service.duplicateName === 'allow';
  const values = (name: string) =>
    live.variables.filter((one) => one.name === name).map(({ value }) => value);
  expect
    .soft(
      {
        outcome: synced.outputs['outcome'],
        token: values('TOKEN'),
        stale: values('STALE'),
        taken: values('TAKEN'),
        dashed: values('DASH-NAME'),
      },
      `synced ${synced.outputs['error']}`,
    )
    .toEqual({
      outcome: isDashed
        ? isDouble
          ? 'conflict'
          : 'synced'
        : expect.stringMatching(/^(?:conflict|failed)$/),
      token: [secrets.TOKEN],
      stale: [secrets.STALE],
      taken: isDouble ? ['somebody was first', secrets.TAKEN] : [secrets.TAKEN],
      dashed: isDashed ? ['fake'] : [],
    });

  emulator.faults.add({
    operation: 'connectDomain',
    kind: 'hold',
    until: async () => emulator.world.connectDomain('www.example.com', other.id),
  });
  const applied = await world.run({
    action: 'domains',
    event,
    inputs: { ...given, check: 'Free.com, taken.net', service: settings, wait: '20s' },
  });
  const contents = () =>
    zone.records
      .filter(({ managedReason }) => managedReason === null)
      .map(({ type, name, content }) => `${type} ${name} ${content}`)
      .sort();
  const wanted = records.map(({ type, name, content }) => `${type} ${name} ${content}`);
  const isMeant = service.boundAlready !== '409' && service.unboundAlready !== '409';
  expect
    .soft(
      {
        outcome: applied.outputs['outcome'],
        contents: contents(),
        serves: emulator.world.domains.find('www.example.com')?.projectId,
        bound: emulator.world.registered.find('one.example')?.boundProjectId,
        availability: JSON.parse(applied.outputs['availability'] ?? ''),
      },
      `applied ${applied.outputs['error']} ${applied.annotations.map(({ message }) => message).join(' / ')}`,
    )
    .toEqual({
      outcome: isMeant ? 'synced' : 'unconfirmed',
      contents: [...wanted, 'MX new new.example.net', 'A www 203.0.113.10'].sort(),
      serves: live.id,
      bound: live.id,
      availability: [
        expect.objectContaining({ registrable: true }),
        expect.objectContaining({ registrable: false, reason: 'taken' }),
      ],
    });

  live.setVariable({ name: 'TOKEN', value: 'somebody rotated this' });
  zone.put({ ...www, content: '203.0.113.66' });
  // What no answer shows may be somebody else's: a value over another version, and a variable without times.
  const isShown = service.writeBody === 'full';
  const drifted = [
    ...(!isDashed || (!isShown && service.variableTimes === 'absent') ? ['DASH-NAME'] : []),
    ...(!isShown && service.staleVersion === 'ignore' ? ['STALE'] : []),
    'TOKEN',
  ];
  const report = { mode: 'plan', 'drift-issue': 'true' };
  const seen = [
    await world.run({ action: 'env-sync', event, inputs: { ...variables, ...report } }),
    await world.run({ action: 'domains', event, inputs: { ...given, ...report } }),
  ];
  const changed = seen.map(({ outputs }) => {
    const { changes } = JSON.parse(outputs['plan'] || '{"changes":[]}') as {
      changes: { name: string; action: string }[];
    };
    return changes.map(({ name }) => name).sort();
  });
  expect
    .soft(
      {
        outcomes: seen.map(({ outputs }) => outputs['outcome']),
        changed,
        issues: github.issues.of(repository).map(({ state }) => state),
      },
      `drift ${seen.map(({ outputs }) => outputs['error']).join()}`,
    )
    .toEqual({
      outcomes: ['planned', 'planned'],
      changed: [drifted, expect.arrayContaining([expect.stringContaining('www')])],
      issues: ['open', 'open'],
    });
  expect.soft(changed[1], 'drift of domains').toHaveLength(1);
}

/** A project is made, and its assistant gets a message. */
async function ask(world: ServiceWorld, service: Service, expect: Expect) {
  const { emulator, settings } = world;
  // After a 503 nobody knows whether the request for a project arrived, and the action does not send it again.
  emulator.dialect.rateLimit = null;
  const made = await world.run({ action: 'projects', inputs: { create: 'true' } });
  const id = made.outputs['project-id'] ?? '';
  expect.soft(made.outputs['outcome'], `project ${made.outputs['error']}`).toBe('succeeded');
  const project = emulator.world.project(id);
  emulator.faults.add({
    operation: 'sendMessage',
    kind: 'hold',
    until: async () => project.sendMessage({ content: 'Somebody was first' }),
  });
  const content = '😀'.repeat(30);
  const { outputs } = await world.run({
    action: 'message',
    inputs: { 'project-id': id, content, service: settings },
  });
  const fits = service.contentLimit === null || service.lengthUnit === 'codePoints';
  const isTaken = fits && service.overlappingMessages === 'queued';
  expect
    .soft(
      {
        outcome: outputs['outcome'],
        sent: project.messages.filter(({ prompt }) => prompt === content).length,
      },
      `message ${outputs['error']}`,
    )
    .toEqual({ outcome: isTaken ? 'succeeded' : 'failed', sent: isTaken ? 1 : 0 });
}

/** While another deployment runs. */
async function overlap(world: ServiceWorld, service: Service, expect: Expect) {
  const { emulator, live, settings } = world;
  emulator.dialect.buildMs = 600_000;
  const sha = await live.head();
  emulator.world.project(live.id).deploy(sha, null);
  const { outputs } = await world.run({
    inputs: { 'project-id': live.id, 'commit-sha': sha, wait: 'none', service: settings },
  });
  expect
    .soft(outputs['outcome'], `overlap ${outputs['error']}`)
    .toBe(service.overlappingDeployments === '409' ? 'failed' : 'accepted');
}

const all = services().map((service, at) => ({ service, at: String(at).padStart(2, '0') }));

/** The answers that some request got, of each field. */
const met = new Map<string, Set<unknown>>();

describe.concurrent('the three jobs, whatever the service answers', () => {
  it.for(all)('service $at', async ({ service }, { expect }) => {
    await using world = await startService(service);
    const { emulator } = world;
    for (const job of [push, preview, schedule, ask, overlap]) {
      await job(world, service, expect as Expect);
      emulator.faults.clear();
    }
    for (const result of world.results) {
      const shown = readable(result);
      for (const secret of Object.values(secrets)) expect.soft(shown).not.toContain(secret);
      expect.soft(result.annotations.map(({ message }) => message)).not.toContain('forged');
    }
    for (const field of emulator.fieldsRead) {
      const values = met.get(field) ?? new Set();
      met.set(field, values.add(service[field as keyof Service]));
    }
  });
});

it('meet each answer of each field', () => {
  const unmet = Object.entries(answers).flatMap(([field, values]) =>
    values.filter((value) => !met.get(field)?.has(value)).map((value) => [field, value]),
  );
  expect(unmet).toEqual([]);
});
