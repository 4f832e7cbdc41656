import type { LocalWorld } from '../../player/world.ts';
import type { GalleryScene } from '../scene.ts';
import { hostile } from './common.ts';

const ask = {
  action: 'message',
  event: 'issue_comment',
  inputs: { content: 'Make the headline blue.' },
} as const;

const list = { action: 'projects', event: 'workflow_dispatch' } as const;

/** Many projects, by name. */
const makeProjects = async ({ emulator }: LocalWorld): Promise<void> => {
  for (const number of Array(60).keys()) await emulator.world.createProject(`shop-${number + 1}`);
};

/** The actions `message` and `projects`. */
export const others: readonly GalleryScene[] = [
  { name: 'message-done', shows: 'A message and its answer', outcome: 'succeeded', runs: [ask] },
  {
    name: 'message-failed',
    shows: 'A message that the AI could not complete',
    outcome: 'failed',
    runs: [{ ...ask, end: 'failure' }],
  },
  {
    name: 'message-timed-out',
    shows: 'A message that times out',
    outcome: 'timed-out',
    runs: [{ ...ask, end: 'timeout' }],
  },
  {
    name: 'message-cancelled',
    shows: 'A canceled message',
    outcome: 'cancelled',
    runs: [{ ...ask, end: 'cancelled' }],
  },
  {
    name: 'message-accepted',
    shows: 'wait: none',
    outcome: 'accepted',
    runs: [{ ...ask, inputs: { ...ask.inputs, wait: 'none' } }],
  },
  {
    name: 'message-unconfirmed',
    shows: "The result of the message can't be confirmed",
    outcome: 'unconfirmed',
    world: { dialect: { messageOffers: 'neither', refuse: ['listMessages'] } },
    runs: [ask],
  },
  {
    name: 'message-fork',
    shows: 'A pull request from a fork, which gets no secrets',
    outcome: 'skipped',
    runs: [{ ...ask, event: 'pull_request', isFork: true }],
  },
  {
    name: 'message-stranger',
    shows: 'A comment by a user who may not send a message',
    outcome: 'skipped',
    runs: [{ ...ask, inputs: { ...ask.inputs, 'allowed-associations': 'OWNER' } }],
  },
  {
    name: 'message-long',
    shows: 'A message with a long answer',
    outcome: 'succeeded',
    world: { dialect: { fillerBytes: 20_000 } },
    runs: [ask],
  },
  {
    name: 'message-hostile',
    shows: 'A message with a malicious answer',
    outcome: 'succeeded',
    world: { dialect: { hostileText: hostile } },
    runs: [ask],
  },
  { name: 'projects-one', shows: 'A single project', outcome: 'succeeded', runs: [list] },
  {
    name: 'projects-60',
    shows: '60 projects that match a pattern',
    outcome: 'succeeded',
    runs: [{ ...list, inputs: { 'name-pattern': 'shop-*' }, prepare: makeProjects }],
  },
  {
    name: 'projects-none',
    shows: 'A pattern without matches',
    outcome: 'succeeded',
    runs: [{ ...list, inputs: { 'name-pattern': 'Shop-*' }, prepare: makeProjects }],
  },
  {
    name: 'projects-created',
    shows: 'A new project',
    outcome: 'succeeded',
    runs: [{ ...list, inputs: { create: 'true', 'initial-prompt': 'A page about tea.' } }],
  },
  {
    name: 'projects-fork',
    shows: 'A pull request from a fork, which gets no secrets',
    outcome: 'skipped',
    runs: [{ ...list, event: 'pull_request', isFork: true }],
  },
  {
    name: 'projects-failed',
    shows: 'A key without permission to list projects',
    outcome: 'failed',
    runs: [{ ...list, end: 'failure' }],
  },
  {
    name: 'projects-timed-out',
    shows: 'The service does not respond',
    outcome: 'timed-out',
    runs: [{ ...list, end: 'timeout' }],
  },
  {
    name: 'projects-cancelled',
    shows: 'A canceled run',
    outcome: 'cancelled',
    runs: [{ ...list, end: 'cancelled' }],
  },
];
