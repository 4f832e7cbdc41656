import { expect, test } from 'vitest';
import { isPublicValue } from './open-step.ts';

const isTold = (hostname: string) => hostname === 'www.example.com';

test.each([
  'www.example.com',
  'https://www.example.com',
  'http://www.example.com',
  'https://www.example.com:8443',
])('the address of a domain that is told is public: %s', (value) => {
  expect(isPublicValue(value, isTold)).toBe(true);
});

test.each([
  ['another domain', 'api.example.com'],
  ['a domain above it', 'example.com'],
  ['a page', 'https://www.example.com/'],
  ['a page with a key', 'https://www.example.com/?key=fake'],
  ['user and password', 'https://user:fake@www.example.com'],
  ['user and password without a scheme', 'user:fake@www.example.com'],
  ['a port without a scheme', 'www.example.com:8443'],
  ['another scheme', 'ftp://www.example.com'],
  ['white space around it', ' www.example.com\n'],
  ['another spelling', 'WWW.example.com'],
  ['words', 'www.example.com is ours'],
  ['nothing', ''],
])('nothing else is: %s', (_name, value) => {
  expect(isPublicValue(value, isTold)).toBe(false);
});
