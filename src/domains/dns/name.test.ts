import { describe, expect, test } from 'vitest';
import { asciiName, fullName, nameFault, targetReadings } from './name.ts';

describe('the full name of a record', () => {
  test.each([
    ['@', 'example.com'],
    ['', 'example.com'],
    [' @ ', 'example.com'],
    ['example.com', 'example.com'],
    ['EXAMPLE.com.', 'example.com'],
    ['www', 'www.example.com'],
    ['WWW.Example.com.', 'www.example.com'],
    ['www.example.com', 'www.example.com'],
    ['a.b', 'a.b.example.com'],
    ['notexample.com', 'notexample.com.example.com'],
    ['www.example.org.', 'www.example.org'],
    ['*', '*.example.com'],
    ['\\052.example.com.', '*.example.com'],
    ['_dmarc', '_dmarc.example.com'],
    ['10', '10.example.com'],
    ['1.2', '1.2.example.com'],
    ['Bücher', 'xn--bcher-kva.example.com'],
    ['XN--BCHER-KVA', 'xn--bcher-kva.example.com'],
    ['bücher。example。com', 'xn--bcher-kva.example.com'],
    ['１０', '10.example.com'],
  ])('%j is %s', (name, full) => {
    expect(fullName('example.com', name)).toBe(full);
  });

  test.each(['Bücher.Example', 'xn--bcher-kva.example.', 'XN--bcher-kva.EXAMPLE'])(
    'is in the domain %s however that is written',
    (domain) => {
      expect(fullName(domain, 'www.bücher.example')).toBe('www.xn--bcher-kva.example');
    },
  );

  test.each(['ü/x', 'ü?x', 'ü@x', 'x@ü', 'ü%41', 'ü:8', 'ü#x', 'ü x'])(
    'keeps %j as it is, so that it can be refused',
    (name) => {
      expect(asciiName(name)).toBe(name);
    },
  );
});

describe('a target', () => {
  test.each([
    ['Mail.Example.net.', ['mail.example.net']],
    ['mail.example.net', ['mail.example.net']],
    ['bücher.example', ['xn--bcher-kva.example']],
    ['@', ['example.com']],
    ['.', ['.']],
    ['mail', ['mail', 'mail.example.com']],
    ['mail.', ['mail']],
  ])('%s is read as %j', (target, readings) => {
    expect(targetReadings('example.com', target)).toEqual(readings);
  });
});

describe('a full name', () => {
  const longest = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`;

  test.each(['example.com', '_dmarc.example.com', 'a-b.c', 'a_', '1.2', longest])(
    '%s is proper',
    (name) => {
      expect(nameFault(name)).toBeUndefined();
    },
  );

  test.each([
    ['too long', `${longest}d`, '254 characters'],
    ['with a long label', `${'a'.repeat(64)}.com`, 'label of 64'],
    ['with two dots', 'a..b', 'empty label'],
    ['that is empty', '', 'empty label'],
    ['with a space', 'a b.com', 'letters'],
    ['with a URL in it', 'https://example.com/', 'letters'],
    ['with a dash in front', '-a.com', 'edge'],
    ['with a dash behind', 'a-.com', 'edge'],
    ['of another script', 'bücher.com', 'letters'],
  ])('%s is not', (_name, name, fault) => {
    expect(nameFault(name)).toContain(fault);
  });
});
