import { expect, test } from 'vitest';
import type { z } from 'zod';
import { describeAnswers } from '../../test/support/contract/answers.ts';
import {
  type BodyCase,
  describeBodies,
  emoji,
  items,
  key,
  text,
} from '../../test/support/contract/bodies.ts';
import {
  createDeployment,
  createProject,
  deployment,
  message,
  messages,
  project,
  projectFilter,
  projects,
  sendMessage,
} from './project.ts';
import { uuid } from './wire.ts';

const id = '11111111-1111-4111-8111-111111111111';
const time = '2026-01-01T00:00:00Z';

describeAnswers([
  {
    name: 'project',
    shape: project,
    needed: ['projectId'],
    full: {
      projectId: id,
      name: 'Site',
      starred: false,
      createdByUserId: 'user-1',
      lastActivityAt: time,
      sandboxState: 'none',
      activeMessageId: id,
      createdAt: time,
      previewImageUrl: 'https://a.example/a.png',
      provisioningState: 'ready',
      provisioningError: '',
      sourceTemplateVersionId: id,
      siteAnalyticsEnabled: true,
      workersLogsEnabled: false,
      initialMessageId: id,
    },
  },
  {
    name: 'deployment',
    shape: deployment,
    needed: ['deploymentId'],
    full: { deploymentId: id, status: 'queued' },
  },
  {
    name: 'message',
    shape: message,
    needed: ['messageId', 'status'],
    full: {
      messageId: id,
      status: 'queued',
      prompt: 'Hello',
      attachments: [
        {
          attachmentId: id,
          filename: 'a.png',
          contentType: 'image/png',
          size: 7,
          url: 'https://a.example/a.png',
          kind: 'file',
        },
      ],
      createdAt: time,
    },
  },
]);

const aiGood: BodyCase['good'] = [
  ['model', text(1)],
  ['model', text(64)],
  ['model', emoji(64)],
  ['effort', text(64)],
  ['skillNames', []],
  ['skillNames', items(3)],
];
const aiBad: BodyCase['bad'] = [
  ['model', ''],
  ['model', text(65)],
  ['model', emoji(65)],
  ['effort', ''],
  ['effort', text(65)],
  ['skillNames', items(4)],
];

describeBodies([
  {
    name: 'a project',
    shape: createProject,
    body: {},
    required: [],
    good: [...key.good, ...aiGood, ['initialPrompt', 'a'], ['initialPrompt', text(10_000)]],
    bad: [...key.bad, ...aiBad, ['initialPrompt', ''], ['initialPrompt', text(10_001)]],
  },
  {
    name: 'a message',
    shape: sendMessage,
    body: { content: 'Hello' },
    required: ['content'],
    good: [...key.good, ...aiGood, ['content', text(100_000)], ['attachmentIds', items(20)]],
    bad: [...key.bad, ...aiBad, ['content', ''], ['attachmentIds', items(21)]],
  },
  {
    name: 'a deployment',
    shape: createDeployment,
    body: {},
    required: [],
    good: [...key.good, ['versionId', '0123456789abcdef'.repeat(3).slice(0, 40)]],
    bad: [
      ...key.bad,
      ['versionId', ''],
      ['versionId', text(39)],
      ['versionId', text(41)],
      ['versionId', 'A'.repeat(40)],
      ['versionId', 'g'.repeat(40)],
      ['versionId', `${text(40)}\n`],
    ],
  },
]);

test.each<[string, z.ZodType, unknown]>([
  ['projects', projects, [{ projectId: id }]],
  ['messages', messages, [{ messageId: id, status: 'queued' }]],
  ['no projects', projects, []],
  [
    'a project in a state that the interface does not show',
    project,
    { projectId: id, sandboxState: 'asleep' },
  ],
  ['a deployment of such a status', deployment, { deploymentId: id, status: 'Warming_Up' }],
])('%s can be read', (_name, shape, answer) => {
  expect(shape.parse(answer)).toEqual(answer);
});

test.each<[string, z.ZodType, unknown]>([
  ['projects that are wrapped', projects, { projects: [] }],
  ['one message that cannot be used', messages, [{ messageId: id, status: 'queued' }, {}]],
])('%s cannot be read', (_name, shape, answer) => {
  expect(shape.safeParse(answer).success).toBe(false);
});

test.each(['all', 'starred', 'created', 'shared'])(
  'projects are listed by the filter %s',
  (word) => {
    expect(projectFilter.parse(word)).toBe(word);
  },
);

test.each(['', 'ALL', 'mine'])('projects are not listed by the filter "%s"', (word) => {
  expect(projectFilter.safeParse(word).success).toBe(false);
});

test.each([
  ['of version 4', '9f1c6d1e-5f0a-4b4e-8c1d-2f1b3c4d5e6f', true],
  ['of no version', '11111111-2222-3333-4444-555555555555', true],
  ['in capitals', '9F1C6D1E-5F0A-4B4E-8C1D-2F1B3C4D5E6F', true],
  ['in braces', '{9f1c6d1e-5f0a-4b4e-8c1d-2f1b3c4d5e6f}', false],
  ['without dashes', '9f1c6d1e5f0a4b4e8c1d2f1b3c4d5e6f', false],
  ['with a path behind it', '9f1c6d1e-5f0a-4b4e-8c1d-2f1b3c4d5e6f/..', false],
])('a UUID %s is taken: %s', (_name, id, taken) => {
  expect(uuid.safeParse(id).success).toBe(taken);
});
