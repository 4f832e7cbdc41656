import { expect, test } from 'vitest';
import { actions } from '../inputs.ts';
import { topics } from './topics.ts';

test('each input of the deploy action has one topic', () => {
  const listed = topics.flatMap(([, names]) => names);
  expect(listed.toSorted()).toEqual(Object.keys(actions.deploy.inputs).toSorted());
});
