import { expect, test } from 'vitest';
import { describeAnswers } from '../../test/support/contract/answers.ts';
import { describeBodies, hostnames, key, text } from '../../test/support/contract/bodies.ts';
import {
  assignDomain,
  connectDomain,
  connectedDomain,
  connectedDomains,
  disconnectDomain,
  disconnected,
  domainStatuses,
} from './connected-domain.ts';

const id = '11111111-1111-4111-8111-111111111111';
const time = '2026-01-01T00:00:00Z';

describeAnswers([
  {
    name: 'connected domain',
    shape: connectedDomain,
    needed: ['hostname'],
    full: {
      hostname: 'www.example.com',
      state: 'pending',
      ownershipStatus: 'pending',
      certificateStatus: 'pending',
      routingStatus: 'unassigned',
      projectId: id,
      instructions: [
        { type: 'CNAME', name: 'www', value: 'a.example', purpose: 'routing', required: true },
      ],
      dnsHost: 'somebody',
      dcvDelegation: 'ok',
      verificationErrors: ['not found'],
      createdAt: time,
      checkedAt: time,
    },
  },
]);

describeBodies([
  {
    name: 'a connected domain',
    shape: connectDomain,
    body: { hostname: 'www.example.com' },
    required: ['hostname'],
    good: [
      ...key.good,
      ['projectId', 'p'],
      ['hostname', 'a.b'],
      ['hostname', 'a-b.example'],
      ['hostname', 'xn--bcher-kva.example'],
      ['hostname', `${text(251)}.b`],
    ],
    bad: [
      ...key.bad,
      ['projectId', ''],
      ['hostname', ''],
      ['hostname', 'localhost'],
      ['hostname', '-a.example'],
      ['hostname', 'A.example'],
      ['hostname', 'a..example'],
      ['hostname', 'a.example.'],
      ['hostname', 'a_b.example'],
      ['hostname', 'a.example/b'],
      ['hostname', 'a.example\n'],
      ['hostname', `${text(252)}.b`],
    ],
  },
  {
    name: 'a question for statuses',
    shape: domainStatuses,
    body: { hostnames: ['a.example'] },
    required: ['hostnames'],
    good: [
      ['hostnames', hostnames(50)],
      ['revalidate', true],
    ],
    bad: [
      ['hostnames', []],
      ['hostnames', hostnames(51)],
      ['hostnames', ['A.example']],
    ],
  },
  {
    name: 'an assignment',
    shape: assignDomain,
    body: { projectId: 'p' },
    required: ['projectId'],
    good: [...key.good, ['projectId', null]],
    bad: [...key.bad, ['projectId', 7]],
  },
  { name: 'a disconnection', shape: disconnectDomain, body: {}, required: [], ...key },
]);

test.each([
  ['null', null],
  ['absent', undefined],
  ['empty', ''],
])('an assigned project that is %s is read', (_name, projectId) => {
  expect(connectedDomain.parse({ hostname: 'a.example', projectId }).projectId).toBe(projectId);
});

test('a state that the interface does not show is read', () => {
  const odd = { hostname: 'a.example', state: 'odd' };
  expect(connectedDomain.parse(odd)).toEqual(odd);
});

test.each([
  ['domains', { domains: [{ hostname: 'a.example' }], next: null }],
  ['no domains', { domains: [] }],
])('%s can be read', (_name, answer) => {
  expect(connectedDomains.parse(answer)).toEqual(answer);
});

test.each([
  ['a missing list', {}],
  ['null in place of the list', { domains: null }],
  ['one domain that cannot be used', { domains: [{ hostname: 'a.example' }, {}] }],
])('%s cannot be read', (_name, answer) => {
  expect(connectedDomains.safeParse(answer).success).toBe(false);
});

test('the answer to a removal is read', () => {
  expect(disconnected.parse({ hostname: 'a.example' })).toEqual({ hostname: 'a.example' });
});

test.each([
  ['a UUID in capitals, in lower case', 'ABCDEF01-1111-4111-8111-111111111111', true],
  ['anything else as it is, lest a secret in it is not known again', 'FAKE-Key', false],
])('a project is read as %s', (_, projectId, isFolded) => {
  const read = connectedDomain.parse({ hostname: 'www.example.com', projectId });
  expect(read.projectId).toBe(isFolded ? projectId.toLowerCase() : projectId);
});
