import { describe, expect, test } from 'vitest';
import { sha } from '../contract/commit.ts';
import { unsafeText } from '../kernel/text/safe.ts';
import { evaluateAnswer, type PageAnswer } from './evaluate.ts';
import type { Check } from './intent.ts';

const day = 24 * 3_600_000;
const now = Date.parse('2026-06-01T00:00:00Z');

/** Judges an answer, good by itself, by a check that wants nothing special by itself. */
function look(check: Partial<Check>, answer: Partial<PageAnswer>) {
  const url = new URL('https://www.example.com/a/');
  const whole: Check = { url, method: 'GET', namesCommit: false, from: 'file', ...check };
  const given = {
    status: 200,
    headers: {},
    text: '',
    truncated: false,
    milliseconds: 5,
    ...answer,
  };
  return evaluateAnswer(whole, given, unsafeText, now);
}

const json = (value: unknown): Partial<PageAnswer> => ({ text: JSON.stringify(value) });

describe('an answer', () => {
  test.each<[string, Partial<Check>, Partial<PageAnswer>]>([
    ['of 2xx', {}, { status: 204 }],
    ['of the wanted status', { status: 404 }, { status: 404 }],
    ['with the text', { contains: 'b' }, { text: 'abc' }],
    [
      'with the text in the part that was read',
      { contains: 'b' },
      { text: 'abc', truncated: true },
    ],
    ['without the text', { lacks: 'x' }, { text: 'abc' }],
    ['with a value', { json: [['a.b', 'c']] }, json({ a: { b: 'c' } })],
    ['with a value in a list', { json: [['a.1.b', null]] }, json({ a: [0, { b: null }] })],
    ['with a key that holds a dot', { json: [['a.b', true]] }, json({ 'a.b': true })],
    [
      'with several values',
      {
        json: [
          ['a', 1],
          ['b', 2],
        ],
      },
      json({ a: 1, b: 2 }),
    ],
    ['with a header', { header: [['x-a', 'b']] }, { headers: { 'x-a': ' b ' } }],
    ['with a header twice', { header: [['x-a', 'b, c']] }, { headers: { 'x-a': ['b', 'c'] } }],
    ['that redirects', { location: '/b' }, { status: 301, headers: { location: '/b' } }],
    [
      'that redirects to the same place in other words',
      { location: '/a/b' },
      { status: 308, headers: { location: 'https://WWW.example.com:443/a/b' } },
    ],
    ['with a certificate', { certificateDays: 14 }, { certificateEnds: now + 14 * day }],
    ['in time', { maxMs: 5 }, {}],
  ])('%s is good', (_, check, answer) => {
    expect(look(check, answer)).toMatchObject({ isGood: true, advice: '' });
  });

  test.each<[string, Partial<Check>, Partial<PageAnswer>, boolean]>([
    ['returned 404', {}, { status: 404 }, true],
    ['returned 410', {}, { status: 410 }, true],
    ['returned 503', {}, { status: 503 }, false],
    ['returned 401', {}, { status: 401 }, false],
    ['returned 200', { status: 404 }, {}, true],
    ['returned 301, a redirect to "/x"', {}, { status: 301, headers: { location: '/x' } }, false],
    ['without the text of contains', { contains: 'x' }, { text: 'abc' }, true],
    ['in its first 5 MiB', { contains: 'x' }, { text: 'abc', truncated: true }, false],
    ['with the text of lacks', { lacks: 'b' }, { text: 'abc' }, false],
    ['with more than 5 MiB', { lacks: 'x' }, { text: 'abc', truncated: true }, false],
    ['without a.b', { json: [['a.b', 1]] }, json({ a: {} }), true],
    ['with a = "2"', { json: [['a', 1]] }, json({ a: 2 }), true],
    ['with a = "1"', { json: [['a', 1]] }, json({ a: '1' }), true],
    ['with a = "{"b":1}"', { json: [['a', 1]] }, json({ a: { b: 1 } }), true],
    ['without constructor', { json: [['constructor', 1]] }, json({}), true],
    ['without __proto__.a', { json: [['__proto__.a', 1]] }, json({}), true],
    ['without length', { json: [['length', 1]] }, json('x'), true],
    ['without JSON', { json: [['a', 1]] }, { text: '<html>' }, true],
    ['with more than 5 MiB', { json: [['a', 1]] }, { text: '{', truncated: true }, false],
    ['without the header x-a', { header: [['x-a', 'b']] }, {}, true],
    ['with the header x-a: "c"', { header: [['x-a', 'b']] }, { headers: { 'x-a': 'c' } }, true],
    ['returned 200', { location: '/b' }, { status: 200 }, false],
    ['without a location', { location: '/b' }, { status: 301 }, true],
    [
      'with the location "/c"',
      { location: '/b' },
      { status: 301, headers: { location: '/c' } },
      true,
    ],
    ['expires in 13 days', { certificateDays: 14 }, { certificateEnds: now + 14 * day - 1 }, false],
    ['expires in 1 day', { certificateDays: 14 }, { certificateEnds: now + day }, false],
    ['without a certificate', { certificateDays: 14 }, {}, false],
    ['but took', { maxMs: 4 }, {}, false],
  ])('that says "%s" is not (%o)', (says, check, answer, isAbsent) => {
    const seen = look(check, answer);
    expect(seen).toMatchObject({ isGood: false, isAbsent });
    expect(seen.text).toContain(says);
    expect(seen.advice).toMatch(/\.$|\?$/);
  });

  test.each<[string, string, Partial<Check>, RegExp]>([
    ['at its own host, again and again', '/x', {}, /^The host keeps redirecting/],
    ['to another host', 'https://other.example/', {}, /^Redirects to another host/],
    ['that is not the one that is wanted', '/x', { status: 308 }, /^Fix the check/],
  ])('that redirects %s has advice of its own', (_, location, check, advice) => {
    const seen = look(check, { status: 302, headers: { location } });
    expect(seen.text).toContain('returned 302, a redirect to');
    expect(seen.advice).toMatch(advice);
  });

  const end = { address: '/login', redirects: 1 };

  test.each<[string, Partial<Check>, Partial<PageAnswer>]>([
    ['returned 200 at /login after a redirect', {}, { end }],
    [
      'returned 200 at https://www.example.com/b after 3 redirects',
      {},
      { end: { address: 'https://www.example.com/b', redirects: 3 } },
    ],
    [
      'returned 200 at /login after a redirect, with the text of verify-contains',
      { contains: 'b', from: 'inputs' },
      { end, text: 'abc' },
    ],
    ['returned 404 at /login after a redirect', {}, { end, status: 404 }],
    [
      'returned 302 at /login after a redirect, a redirect to "https://other.example/?…"',
      {},
      { end, status: 302, headers: { location: 'https://other.example/?token=fake' } },
    ],
    [
      'returned 200 at /login after a redirect, without the text of contains',
      { contains: 'x' },
      { end },
    ],
    [
      'returned 200 at /login after a redirect, with a = "2"',
      { json: [['a', 1]] },
      { end, text: '{"a":2}' },
    ],
    ['returned 200 at /login after a redirect, but took 0s', { maxMs: 4 }, { end }],
    [
      'returned 200 at /login?… after a redirect',
      {},
      { end: { ...end, address: '/login?token=fake&a=b' } },
    ],
    [
      'returned 200 at /login#… after a redirect',
      {},
      { end: { ...end, address: '/login#token=fake' } },
    ],
    [
      'returned 302, a redirect to "https://…@other.example/a?…"',
      {},
      { status: 302, headers: { location: 'https://user:fake@other.example/a?b=fake' } },
    ],
    [
      'returned 200 at /login;… after a redirect',
      {},
      { end: { ...end, address: '/login;jsessionid=fake' } },
    ],
    [
      'returned 302, a redirect to "https://…@other.example/a"',
      {},
      { status: 302, headers: { location: 'https:/\\user:fake@other.example/a' } },
    ],
    [
      'returned 302, a redirect to "//…@other.example/a"',
      {},
      { status: 302, headers: { location: '\\\\user:fake@other.example/a' } },
    ],
    [
      'returned 302, a redirect to "/@name/a"',
      {},
      { status: 302, headers: { location: '/@name/a' } },
    ],
    [
      'returned 302 to "/login?…"',
      { status: 302 },
      { status: 302, headers: { location: '/login?token=fake' } },
    ],
    [
      'returned 302 with the header location: "/login?…"',
      { status: 302, header: [['location', '/home']] },
      { status: 302, headers: { location: '/login?token=fake' } },
    ],
    [
      'returned 302, a redirect to "//…@other.example/a"',
      {},
      { status: 302, headers: { location: '//user:fake@other.example/a' } },
    ],
    [
      'returned 302 with the location "/login?…"',
      { location: '/a' },
      { status: 302, headers: { location: '/login?state=fake' } },
    ],
    [
      'returned 302 with the location "/login?state=other"',
      { location: '/login?state=a' },
      { status: 302, headers: { location: '/login?state=other' } },
    ],
    ['returned 302 to "/a"', { location: '/a' }, { status: 302, headers: { location: '/a' } }],
  ])('is told as: %s', (text, check, answer) => {
    const seen = look(check, answer);
    expect(seen.text).toBe(text);
    expect(seen.explains).not.toContain('fake');
  });

  const undecodable = 'the response is not valid gzip';

  test.each<Partial<Check>>([{ contains: 'a' }, { lacks: 'a' }, { json: [['a', 1]] }])(
    'that cannot be decoded does not pass a check of %j',
    (check) => {
      const seen = look(check, { undecodable });
      const text = 'returned 200, but the response is not valid gzip';
      expect(seen).toMatchObject({ isGood: false, isAbsent: false, text, explains: text });
    },
  );

  test.each<Partial<Check>>([{}, { contains: '' }, { header: [['x', 'y']] }, { maxMs: 5 }])(
    'that cannot be decoded passes a check of %j, which needs no body',
    (check) => {
      expect(look(check, { undecodable, headers: { x: 'y' } }).isGood).toBe(true);
    },
  );

  test.each([
    ['Größe', 'Gr\u{fffd}\u{fffd}e', /charset .* is wrong: correct its content-type\.$/],
    ['Größe', 'Breite', /^Fix the page/],
    ['Size', 'Gr\u{fffd}\u{fffd}e', /^Fix the page/],
  ])('without the text %j, as %j, is told with what to do', (contains, text, advice) => {
    expect(look({ contains }, { text }).advice).toMatch(advice);
  });

  test('that leads to no address at all is not at another such place', () => {
    const headers = { location: 'https://[b' };
    expect(look({ location: 'https://[a' }, { status: 301, headers }).isGood).toBe(false);
  });

  test('shows the commit where the check names it, whatever else of it is wrong', () => {
    const commit = sha('a'.repeat(40));
    const shown = (json: Check['json']) =>
      look({ commit, contains: commit, json }, { text: `at ${commit}` });
    expect(shown([['a', 1]])).toMatchObject({ isGood: false, showsCommit: true });
    expect(shown([['a', commit]])).toMatchObject({ isGood: false, showsCommit: false });
  });

  test('that is only slow may be asked again, and one that is wrong, too, is only wrong', () => {
    expect(look({ maxMs: 4 }, {}).isOnlySlow).toBe(true);
    expect(look({ maxMs: 4 }, { status: 503 }).isOnlySlow).toBeUndefined();
  });

  test('of a million characters is told in a few', () => {
    const long = 'x'.repeat(1e6);
    expect(look({ json: [['a', 1]] }, json({ a: long })).text.length).toBeLessThan(200);
    expect(look({ json: [['a', 1]] }, json({ a: [long] })).text.length).toBeLessThan(200);
    expect(look({ header: [['a', 'b']] }, { headers: { a: long } }).text.length).toBeLessThan(200);
  });
});
