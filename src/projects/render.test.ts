import { expect, test } from 'vitest';
import { decode } from '../../test/support/report/decode.ts';
import { diagnose } from '../kernel/diagnostic.ts';
import { unsafeText } from '../kernel/text/safe.ts';
import { closeProjects, type ProjectsReport, renderProjects } from './render.ts';

const include = [
  { 'project-id': unsafeText('a1'), name: unsafeText('shop') },
  { 'project-id': unsafeText('b2'), name: unsafeText('<b>@octocat</b> | `x`') },
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
const created = {
  projectId: unsafeText('a1'),
  initialMessageId: unsafeText('m1'),
  state: unsafeText('ready'),
};

test.each<[string, Partial<ProjectsReport>, string]>([
  ['a list', {}, 'Done in 1.2s · 2 of 5 projects'],
  ['a creation', { created, requests: 3 }, 'Done in 1.2s · Project a1 created'],
  ['a failure', { outcome: 'failed', projects: [] }, 'Failed in 1.2s · 0 of 5 projects'],
  ['a failure before the list', { outcome: 'failed', projects: [], listed: 0 }, 'Failed in 1.2s'],
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
  const fields: Partial<ProjectsReport> = {
    error: diagnose('SD9003', unsafeText('Too many.')),
    matrix: { include: [] },
  };
  const summary = decode(renderProjects(report({ ...fields, outcome: 'failed' })));
  expect(summary).toContain('Too many.');
  expect(summary).not.toContain('|');
});
