import { expect, test } from 'vitest';
import {
  deployReport,
  environmentResult,
  variableResult,
} from '../../test/support/report/builders.ts';
import { unsafeText } from '../kernel/text/safe.ts';
import type { DeployReport } from './model/report.ts';
import { closingLine } from './render.ts';

test.each<[string, Partial<DeployReport>, string]>([
  ['of a run', {}, 'Preview of #7 is deployed · 12.3s'],
  [
    'of a site that was seen',
    {
      site: unsafeText('https://www.example.com'),
      release: { stage: 'succeeded', confirmedBy: 'site' },
    },
    'Preview of #7 is live · https://www.example.com · 12.3s · shown by the site, whose checks failed before and pass now',
  ],
  [
    'of a deployment with variables',
    { environment: environmentResult({ variables: [variableResult('A', 'created')] }) },
    'Preview of #7 is deployed · 12.3s · variables: 1 created',
  ],
  [
    'with nothing of zero',
    {
      outcome: 'skipped',
      skippedReason: 'fork',
      requests: 0,
      durationMs: 0,
      environment: environmentResult(),
    },
    'Preview of #7 was not deployed: pull requests from forks get no secrets',
  ],
  [
    'of a failure',
    { outcome: 'timed-out', durationMs: 1_200_000 },
    'Preview of #7: timed out · 20m',
  ],
])('the last line %s', (_name, fields, line) => {
  expect(closingLine(deployReport(fields))).toBe(line);
});
