import { attemptWith } from '../../comments/run-comment.ts';
import { type SafeText, safe, unsafeText } from '../../kernel/text/safe.ts';
import type { RunContext } from '../../platform.ts';
import { lastRelease } from '../../releases/decisions.ts';
import { recordSignerFor, Series } from '../../releases/series.ts';
import { accessOf } from '../../step/access.ts';
import type { Preflight, Run } from '../../step/step.ts';
import type { DeployValues } from '../inputs.ts';
import type { DeployTarget } from '../job.ts';
import { planLocations, subjectIn } from '../recording-plan.ts';
import type { HostnameMatcher } from './model/preview-hostname.ts';

/** What {@link previewHistories} gives. */
export type PreviewHistories = ReturnType<typeof previewHistories>;

/**
 * Opens what GitHub has of the previews of pull requests, for a run of another one or of none. What can't be read is a
 * warning, once, and then not known.
 */
export function previewHistories(
  values: DeployValues,
  context: RunContext,
  { signal, warn }: Preflight,
) {
  const { 'preview-projects': from = [], 'preview-domain': template } = values;
  const access = accessOf(values, context);
  const signer = recordSignerFor(values, context.repository);
  const attempt = attemptWith(warn, access);
  return (number: number, projectId: string) => {
    const isLeased = from.some((id) => id === projectId);
    const target: DeployTarget =
      template !== undefined && isLeased
        ? { kind: 'lease', from, template }
        : { kind: 'project', id: projectId };
    const course = { values, event: context.event, pull: { number }, target };
    const { comment, deployment } = planLocations(course, context);
    const series = deployment && new Series({ access, signer }, deployment);
    return {
      subject: subjectIn(course, context),
      comment,
      series,
      /** When the last release was recorded, in milliseconds since the epoch; undefined if not known, or one may be going. */
      async lastReleased(now: number): Promise<number | undefined> {
        let at: number | undefined;
        await attempt('read earlier deployments', 'deployments: write', async () => {
          const last = await series?.decide(lastRelease, { signal, now, fresh: true });
          at = last && Date.parse(last.at);
        });
        return at;
      },
    };
  };
}

/** Which of the previews that use all projects has the oldest last release, as a sentence; empty if that is not known. */
export async function describeLongestIdle(
  { host }: Run,
  preview: { historyOf?: PreviewHistories | undefined; matcher: HostnameMatcher },
  holders: readonly string[],
  projectId = '',
): Promise<SafeText> {
  const found = await Promise.all(
    holders.map(async (hostname) => {
      const number = preview.matcher.numberOf(hostname) ?? 0;
      const at = await preview.historyOf?.(number, projectId).lastReleased(host.clock.now());
      return { hostname, number, at: at ?? Infinity };
    }),
  );
  const [longest] = found.toSorted((one, other) => one.at - other.at);
  if (longest === undefined || longest.at === Infinity) return safe``;
  const day = unsafeText(new Date(longest.at).toISOString().slice(0, 10));
  return safe`The longest idle is ${host.clean(longest.hostname)} (#${longest.number}), last released on ${day}. `;
}
