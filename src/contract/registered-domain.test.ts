import { expect, test } from 'vitest';
import type { z } from 'zod';
import { describeAnswers } from '../../test/support/contract/answers.ts';
import { describeBodies, hostnames, key } from '../../test/support/contract/bodies.ts';
import { dnsRecord, dnsRecords, writeDnsRecord } from './dns-record.ts';
import {
  availabilities,
  availability,
  bindDomain,
  checkDomains,
  registeredDomain,
  setRenewal,
  unbindDomain,
} from './registered-domain.ts';

const id = '11111111-1111-4111-8111-111111111111';
const time = '2026-01-01T00:00:00Z';

const record = { type: 'A', name: '@', content: '203.0.113.10' };

describeAnswers([
  {
    name: 'registered domain',
    shape: registeredDomain,
    needed: ['name'],
    full: {
      name: 'example.com',
      status: 'in_progress',
      autoRenew: true,
      privacyMode: 'redaction',
      boundProjectId: id,
      bindStatus: 'unbound',
      createdByUserId: 'user-1',
      registeredAt: time,
      expiresAt: time,
      renewal: {
        state: 'renewing',
        expiresAt: time,
        chargeAt: time,
        hardDeadlineAt: time,
        serviceEndsAt: time,
        amountMicroUsd: 12_000_000,
        retryPaymentAvailable: false,
        termYears: 1,
        autoRenew: true,
      },
    },
  },
  {
    name: 'DNS record',
    shape: dnsRecord,
    needed: ['type', 'name', 'content'],
    full: {
      type: 'CAA',
      name: '@',
      content: 'ca.example',
      ttl: 300,
      comment: '',
      priority: 10,
      flags: 0,
      tag: 'issue',
      weight: 1,
      port: 443,
      id: 'record-1',
      proxied: false,
      managedBy: 'customer',
      managedReason: '',
    },
  },
  {
    name: 'availability',
    shape: availability,
    needed: ['name', 'registrable'],
    full: {
      name: 'example.com',
      registrable: false,
      reason: 'taken',
      premium: false,
      pricing: { currency: 'USD', registrationCost: 12.5, renewalCost: 12.5 },
      registrationPriceMicroUsd: 12_500_000,
    },
  },
]);

describeBodies([
  {
    name: 'a renewal',
    shape: setRenewal,
    body: { enabled: false },
    required: ['enabled'],
    good: key.good,
    bad: [...key.bad, ['enabled', 'false']],
  },
  {
    name: 'a binding',
    shape: bindDomain,
    body: { projectId: 'p' },
    required: ['projectId'],
    good: key.good,
    bad: [...key.bad, ['projectId', ''], ['projectId', null]],
  },
  { name: 'an unbinding', shape: unbindDomain, body: {}, required: [], ...key },
  {
    name: 'a question for availability',
    shape: checkDomains,
    body: { domains: ['a.example'] },
    required: ['domains'],
    good: [['domains', hostnames(20)]],
    bad: [
      ['domains', []],
      ['domains', hostnames(21)],
      ['domains', ['']],
    ],
  },
  {
    name: 'a DNS record',
    shape: writeDnsRecord,
    body: { record },
    required: ['record'],
    good: [
      ...key.good,
      ['record', { ...record, type: 'SVCB', ttl: 1, priority: 0, flags: 0, tag: 'issue' }],
      ['record', { ...record, weight: 1, port: 443, proxied: true, comment: '' }],
    ],
    bad: [
      ...key.bad,
      ['record', { type: 'A', name: '@' }],
      ['record', { ...record, type: '' }],
      ['record', { ...record, ttl: 1.5 }],
      ['record', { ...record, id: 'record-1' }],
      ['record', { ...record, managedBy: 'customer' }],
    ],
  },
]);

test.each<[string, z.ZodType, unknown]>([
  ['DNS records', dnsRecords, { records: [record] }],
  ['a DNS record of a type that is not known', dnsRecord, { ...record, type: 'SVCB' }],
  ['availabilities', availabilities, { results: [{ name: 'a.example', registrable: true }] }],
])('%s can be read', (_name, shape, answer) => {
  expect(shape.parse(answer)).toEqual(answer);
});

test.each<[string, z.ZodType, unknown]>([
  ['null in place of DNS records', dnsRecords, { records: null }],
  ['availabilities that are not wrapped', availabilities, []],
])('%s cannot be read', (_name, shape, answer) => {
  expect(shape.safeParse(answer).success).toBe(false);
});
