import { describe, expect, test } from 'vitest';
import {
  declaredRecord,
  domain,
  managedRecord,
  observedRecord,
} from '../../../test/support/dns/builders.ts';
import type { DnsRecord } from '../../contract/dns-record.ts';
import type { DeclaredRecord } from './content.ts';
import { planZone, zoneFacts } from './plan-zone.ts';

const facts = (declared: Partial<DeclaredRecord>, ...observed: DnsRecord[]) =>
  zoneFacts(planZone(domain, [declaredRecord(declared)], observed));

describe('the facts of a plan', () => {
  test('are what would be written, and what it replaces', () => {
    expect(facts({ ttl: 60 }, observedRecord({ ttl: 300 }))).toEqual([
      [
        'A',
        'example.com',
        'update',
        'id-1',
        '203.0.113.10',
        [null, null, null, null, null, 60, null, null],
        [['ttl', 300]],
      ],
    ]);
  });

  test('are the same whether the file names what is replaced or not', () => {
    const old = observedRecord({ content: '198.51.100.1' });
    expect(facts({ replaces: '198.51.100.1' }, old)).toEqual(facts({}, old));
  });

  test('leave out what stays as it is', () => {
    expect(facts({}, observedRecord(), managedRecord(), observedRecord({ name: 'www' }))).toEqual(
      [],
    );
  });

  test.each<[string, Partial<DeclaredRecord>, DnsRecord[]]>([
    ['the name', { name: 'www' }, []],
    ['the content', { content: '203.0.113.11' }, []],
    ['a field', { ttl: 61 }, []],
    ['whether it is there', { ttl: 60 }, [observedRecord()]],
  ])('change with %s', (_name, declared, observed) => {
    expect(facts(declared, ...observed)).not.toEqual(facts({ ttl: 60 }));
  });

  test.each<[string, Partial<DnsRecord>]>([
    ['the id', { id: 'id-2' }],
    ['what is replaced', { ttl: 301 }],
    ['another field that is replaced', { comment: 'x' }],
    ['the end of a long field that is replaced', { comment: `${'x'.repeat(500)}y` }],
  ])('of an update change with %s', (_name, observed) => {
    const of = (fields: Partial<DnsRecord>) =>
      facts({ ttl: 60, comment: 'web' }, observedRecord({ ttl: 300, ...fields }));
    expect(of(observed)).not.toEqual(of({}));
  });

  test('of an update change with the end of the long content that is replaced', () => {
    const of = (end: string) =>
      facts(
        { type: 'TXT', content: 'k=new' },
        observedRecord({ type: 'TXT', content: `k=${'x'.repeat(500)}${end}` }),
      );
    expect(of('1')).not.toEqual(of('2'));
  });
});
