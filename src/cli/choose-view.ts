import type { ActionName } from '../inputs.ts';
import type { StepEnvironment } from '../platform.ts';
import { coloredView, LiveView } from './live-view.ts';
import { plainView, type View } from './view.ts';

/** What a run does before it has a status. */
const beginnings: Readonly<Record<ActionName, string>> = {
  deploy: 'preparing the deployment',
  'env-sync': 'comparing variables',
  domains: 'comparing domains',
  message: 'sending the message',
  projects: 'requesting projects',
};

/** Chooses how a run is shown: something moves only on a terminal that a person watches. */
export function chooseView(
  stream: NodeJS.WriteStream,
  environment: StepEnvironment,
  { command, isCi }: { command: ActionName; isCi: boolean },
): View {
  if (!stream.isTTY || environment['TERM'] === 'dumb') return plainView(stream);
  const hasColor = (environment['NO_COLOR'] ?? '') === '';
  if (!isCi) return new LiveView({ stream, hasColor }, beginnings[command]);
  return hasColor ? coloredView(stream) : plainView(stream);
}
