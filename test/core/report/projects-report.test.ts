import { expect, test } from 'vitest';
import {
  closeProjects,
  type ProjectsReport,
  renderProjects,
} from '../../../src/core/report/projects-report.ts';
import { decode } from './decode.ts';

const include = [
  { 'project-id': 'a1', name: 'shop' },
  { 'project-id': 'b2', name: '<b>@octocat</b> | `x`' },
];

/** The report of a list of two projects unless told otherwise. */
const report = (fields: Partial<ProjectsReport> = {}): ProjectsReport => ({
  outcome: 'succeeded',
  projects: include.map(({ 'project-id': projectId, name }) => ({ projectId, name })),
  matrix: { include },
  listed: 5,
  requests: 1,
  durationMs: 1234,
  ...fields,
});
const created = { projectId: 'a1', initialMessageId: 'm1', state: 'ready' };

test.each<[string, Partial<ProjectsReport>, string]>([
  ['a list', {}, 'Done in 1.2s · 2 of 5 projects · 1 request'],
  ['a creation', { created, requests: 3 }, 'Done in 1.2s · created a1 · 3 requests'],
  [
    'a failure',
    { outcome: 'failed', projects: [] },
    'Failed in 1.2s · 0 of 5 projects · 1 request',
  ],
])('the last line of %s', (_name, fields, line) => {
  expect(closeProjects(report(fields))).toBe(line);
});

test('a summary lists the projects, whose names do nothing', () => {
  const summary = renderProjects(report());
  expect(decode(summary)).toContain('| Project | Name |');
  expect(summary).toContain('<code>a1</code>');
  expect(summary).not.toMatch(/<b>|@octocat|`x`/);
});

test('a summary of an error has no table', () => {
  const fields: Partial<ProjectsReport> = { error: 'Too many.', matrix: { include: [] } };
  const summary = decode(renderProjects(report({ ...fields, outcome: 'failed' })));
  expect(summary).toContain('Too many.');
  expect(summary).not.toContain('|');
});
