import { describe, expect, it } from 'vitest';
import { clean, connected, host, otherId, projectId } from '../../test/support/domains/builders.ts';
import { projectId as fromWire } from '../contract/wire.ts';
import { type ConnectionPlan, planConnection } from './plan.ts';

const hostname = host('www.example.com');

interface Case {
  name: string;
  declared: ConnectionPlan['declared']['projectId'];
  /** The project that it is assigned to; absent: it is not connected. */
  observed?: { projectId?: string | null };
  actions: ConnectionPlan['actions'];
  reason: string;
}

const there = { projectId: otherId };
const none = 'assigned to no project';

const cases: readonly Case[] = [
  {
    name: 'new, for a project',
    declared: projectId,
    actions: ['connect', 'assign'],
    reason: 'new',
  },
  { name: 'new, for none', declared: null, actions: ['connect'], reason: 'new' },
  { name: 'new, not said', declared: undefined, actions: ['connect'], reason: 'new' },
  {
    name: 'assigned as declared, in another case',
    declared: projectId,
    observed: { projectId: fromWire.parse(projectId.toUpperCase()) },
    actions: [],
    reason: `assigned to ${projectId}`,
  },
  {
    name: 'assigned elsewhere',
    declared: projectId,
    observed: there,
    actions: ['assign'],
    reason: `assigned to ${otherId}`,
  },
  {
    name: 'assigned where the reason holds a secret',
    declared: projectId,
    observed: { projectId: 'SECRET' },
    actions: ['assign'],
    reason: 'assigned to ***',
  },
  {
    name: 'assigned, declared for none',
    declared: null,
    observed: there,
    actions: ['clear'],
    reason: `assigned to ${otherId}`,
  },
  {
    name: 'assigned, not said',
    declared: undefined,
    observed: there,
    actions: [],
    reason: `connected, assigned to ${otherId}; the file sets no project`,
  },
  ...[{ projectId: null }, {}, { projectId: '' }].flatMap((observed): Case[] => [
    {
      name: `unassigned as ${JSON.stringify(observed)}, for a project`,
      declared: projectId,
      observed,
      actions: ['assign'],
      reason: none,
    },
    {
      name: `unassigned as ${JSON.stringify(observed)}, for none`,
      declared: null,
      observed,
      actions: [],
      reason: none,
    },
  ]),
];

describe('the plan for one connected domain', () => {
  it.each(cases)('$name', ({ declared, observed, actions, reason }) => {
    const wanted = declared === undefined ? { hostname } : { hostname, projectId: declared };
    const domains = [
      connected('other.example.com', { projectId: otherId }),
      ...(observed === undefined ? [] : [connected('WWW.Example.com', observed)]),
    ];
    const plan = planConnection(wanted, domains, clean);
    expect(plan).toMatchObject({ declared: wanted, actions, reason });
    expect(plan.observed?.hostname).toBe(observed === undefined ? undefined : 'WWW.Example.com');
  });
});
