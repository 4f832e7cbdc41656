// Attack (secrets): A long message of GitHub or GitLab, or a page's JSON value, is cut within a secret
// Defense: They are redacted first

import { expect, test } from 'vitest';
import { evaluateAnswer } from '../../src/checks/evaluate.ts';
import { GitLabError } from '../../src/cli/gitlab-api.ts';
import { gitLabComments } from '../../src/cli/gitlab-notes.ts';
import { describeTrouble } from '../../src/github/errors.ts';
import { createRedact, createSanitize } from '../../src/kernel/text/redact.ts';
import { piecesOf } from './shown.ts';

const secret = 'Zq7xK2mVw9pRt4nLb6cJh3sYf8';
const clean = createSanitize(createRedact([secret]));

/** What the message of an error, or the value of a page, is shown as. */
const shown: readonly (readonly [string, (text: string) => string])[] = [
  [
    "GitHub's message",
    (message) => {
      const error = Object.assign(new Error(), { response: { status: 422, data: { message } } });
      return clean(describeTrouble('write', error, 'deployments: write').text);
    },
  ],
  [
    "GitLab's message",
    (message) => {
      const error = new GitLabError({ status: 422, headers: new Map() }, message);
      const project = {
        apiUrl: 'https://gitlab.example/api/v4',
        url: 'https://gitlab.example/a/b',
        id: '1',
      };
      return clean(gitLabComments(project, 'fake-token').describeTrouble('write', error).text);
    },
  ],
  [
    "a page's JSON value",
    (value) => {
      const check = {
        url: new URL('https://www.example.com/'),
        method: 'GET',
        namesCommit: false,
        from: 'file',
        json: [['a', 1]],
      } as const;
      const text = JSON.stringify({ a: [value] });
      const page = { status: 200, headers: {}, text, truncated: false, milliseconds: 1 };
      return evaluateAnswer(check, page, clean, 0).text;
    },
  ],
];

test.each(shown)('%s shows no part of a secret, wherever it is cut', (_name, show) => {
  for (const nothing of [' ', 'x'])
    for (const before of [60, 75, 185, 192, 305, 312, 480, 490]) {
      const text = show(`${nothing.repeat(before)}${secret} and more ${'y '.repeat(300)}`);
      expect(piecesOf(secret, 5, text)).toEqual([]);
    }
});
