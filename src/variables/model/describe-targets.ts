import { type SafeText, safe } from '../../kernel/text/safe.ts';
import type { Targets } from '../intent.ts';

/** The names of the runtimes that a variable applies to. */
export function describeTargets({ preview, production }: Targets): SafeText {
  if (preview && production) return safe`preview and production`;
  if (preview) return safe`preview`;
  return production ? safe`production` : safe`no runtime`;
}
