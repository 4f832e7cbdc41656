import type { Run } from '../frame/step.ts';
import type { SafeText } from '../kernel/text/safe.ts';
import { race } from './race.ts';
import type { End, Source } from './source-states.ts';
import { pollStatus, type SourceContext, type Subject, streamEvents } from './sources.ts';
import { Tracker, type TrackerOptions } from './tracker.ts';

/** A deployment or a turn to follow. */
export interface FollowOptions extends Omit<TrackerOptions, 'noun' | 'sources'> {
  subject: Subject;
  wait: 'auto' | 'stream' | 'poll';
  /** The status that came with the acceptance. */
  status: string;
  /** Checks for other evidence of the end, until the signal aborts. */
  watch(tracker: Tracker, signal: AbortSignal): Promise<never>;
  /** Waits for what may still come once the end is known. */
  rest?(end: End, tracker: Tracker, signal: AbortSignal): Promise<void>;
}

/** The end, and the last reported status. */
export interface Followed extends End {
  status: SafeText;
}

/**
 * Follows a deployment or a turn to its end by event stream and polls, and by other evidence without those. The first
 * definite end wins, and the rest is closed.
 *
 * @throws the run's signal's reason
 */
export async function follow(run: Run, options: FollowOptions): Promise<Followed> {
  const { subject, wait } = options;
  const sources: Source[] = wait === 'auto' ? ['stream', 'poll'] : [wait];
  const tracker = new Tracker(run.host, { ...options, noun: subject.noun, sources });
  tracker.accepted(options.status);
  const loops = (signal: AbortSignal) => {
    const context: SourceContext = { ...run, tracker, subject, signal };
    return [
      ...(wait === 'poll' ? [] : [streamEvents(context)]),
      ...(wait === 'stream' ? [] : [pollStatus(context)]),
      options.watch(tracker, signal),
    ];
  };
  const end = async (signal: AbortSignal) => {
    const ended = await tracker.end;
    await options.rest?.(ended, tracker, signal);
    return { ...ended, status: tracker.statusReporter.status };
  };
  return await race(run.host, tracker.statusReporter, end, loops);
}
