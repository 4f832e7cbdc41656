import { countFailed } from '../../checks/result.ts';
import { formatDuration } from '../../kernel/text/format.ts';
import type { DeployReport, Phase } from './report.ts';
import { stageOf } from './verdict.ts';

const names: Readonly<Record<Phase['name'], string>> = {
  environment: 'Sync the variables',
  push: 'Push the commit',
  deployment: 'Deploy',
  verification: 'Check the site',
  'roll-back': 'Roll back',
  domain: 'Verify the domain',
};

/** The result of a part of a run. */
type PhaseEnd = 'done' | 'failed' | 'cut off';

/**
 * Mermaid's names for the colors of bars: gray, red, and none for an interrupted part. Next to a short bar of `active`,
 * its dark theme writes dark on dark.
 */
const colors: Readonly<Record<PhaseEnd, string>> = {
  done: 'done, ',
  failed: 'crit, ',
  'cut off': '',
};

const ends: Readonly<Record<Phase['name'], (report: DeployReport) => PhaseEnd>> = {
  environment: ({ environment }) => {
    if (environment === undefined) return 'cut off';
    const isWrong = environment.variables.some(({ outcome }) =>
      ['conflict', 'failed'].includes(outcome),
    );
    return isWrong || environment.ambiguous.length > 0 ? 'failed' : 'done';
  },
  push: ({ pushed }) => (pushed === undefined ? 'failed' : 'done'),
  deployment: (report) => {
    const stage = stageOf(report);
    return stage === 'succeeded' ? 'done' : stage === 'failed' ? 'failed' : 'cut off';
  },
  verification: ({ checks = [] }) =>
    countFailed(checks) > 0
      ? 'failed'
      : checks.some(({ passed }) => passed === true)
        ? 'done'
        : 'cut off',
  'roll-back': ({ outcome }) =>
    outcome === 'rolled-back' ? 'done' : outcome === 'failed' ? 'failed' : 'cut off',
  domain: ({ preview }) => {
    const verification = preview?.domain?.verification;
    return verification === 'good' ? 'done' : verification === 'bad' ? 'failed' : 'cut off';
  },
};

/** Shorter runs need no chart, and longer ones would wrap around on the time axis. In milliseconds. */
const shortest = 5000;
const longest = 24 * 3_600_000;

/** A shorter part gets no bar, unless it failed. In milliseconds. */
const shown = 50;

/** A time of a run as a time of day, which a chart shows equally in every time zone. */
const timeOfDay = (milliseconds: number): string =>
  new Date(Math.round(milliseconds)).toISOString().slice(11, 23);

/** About ten marks on a chart's axis, with hours only if needed. */
function axis(milliseconds: number): string[] {
  const steps = [1, 5, 15, 60, 300, 900, 3600, 7200];
  const seconds = steps.find((step) => milliseconds / 1000 / step <= 12) ?? 7200;
  return [
    `axisFormat ${milliseconds < 3_600_000 ? '%M:%S' : '%H:%M:%S'}`,
    `tickInterval ${seconds < 60 ? `${seconds}second` : `${seconds / 60}minute`}`,
  ];
}

/**
 * The parts of a run as a chart, in the order of their start, if there are several and the run took some seconds. Each
 * bar also has its result as text. The names are constants, so nothing needs escaping.
 */
export function renderTimeline(report: DeployReport): string[] {
  const phases = report.phases
    .filter(({ name, start, end }) => end - start >= shown || ends[name](report) === 'failed')
    .toSorted((a, b) => a.start - b.start);
  const total = Math.max(0, ...phases.map(({ end }) => end));
  if (phases.length < 2 || total <= shortest || total >= longest) return [];
  const bars = phases.map(({ name, start, end }) => {
    const how = ends[name](report);
    const length = Math.max(1, Math.round(end - start));
    const result = how === 'done' ? '' : `${how}, `;
    return `  ${names[name]} (${result}${formatDuration(end - start)}) :${colors[how]}${timeOfDay(start)}, ${length}ms`;
  });
  const settings = ['dateFormat HH:mm:ss.SSS', ...axis(total)].map((setting) => `  ${setting}`);
  return ['### Timeline', `\`\`\`mermaid\n${['gantt', ...settings, ...bars].join('\n')}\n\`\`\``];
}
