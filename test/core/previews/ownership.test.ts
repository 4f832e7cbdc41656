import { expect, test } from 'vitest';
import type { ConnectedDomain } from '../../../src/contract/connected-domain.ts';
import { isTakenByOthers, type Ownership } from '../../../src/previews/intent.ts';

const hostname = 'topic.example.com';
const claim = { hostname, projectId: 'a-project' };
const recorded: Ownership = { by: 'record', claim };
const unrecorded: Ownership = { by: 'record', claim: undefined };

const domain = (projectId?: string | null, name = hostname): ConnectedDomain => ({
  hostname: name,
  ...(projectId === undefined ? {} : { projectId }),
});

test.each<[string, Ownership, ConnectedDomain, boolean]>([
  ['told by its name, whatever it is', { by: 'name' }, domain('another'), false],
  ['without a record', unrecorded, domain('a-project'), true],
  ['as recorded', recorded, domain('a-project'), false],
  ['as recorded, in capitals', recorded, domain('a-project', hostname.toUpperCase()), false],
  ['to another project than recorded', recorded, domain('another'), true],
  ['of another hostname than recorded', recorded, domain('a-project', 'www.example.com'), true],
])('an assignment %s may be of a site of somebody: %j, %j: %s', (_name, ownership, given, is) => {
  expect(isTakenByOthers(ownership, given)).toBe(is);
});

test.each([undefined, null, ''])('no assignment (%j) is of nobody', (projectId) => {
  for (const ownership of [unrecorded, recorded]) {
    expect(isTakenByOthers(ownership, domain(projectId))).toBe(false);
  }
});
