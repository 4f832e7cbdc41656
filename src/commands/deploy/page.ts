import { pollPause } from '../../core/deployment/schedule.ts';
import { type SafeText, safe } from '../../core/text/safe.ts';
import { createProbe } from '../../service/probe.ts';
import type { Host } from '../host.ts';

/** The page that must answer once the deployment is live. */
export interface PageRequest {
  url: URL;
  /** A text that it must contain; empty: any will do. */
  contains: string;
  userAgent: string;
}

/** One look at the page. */
export interface PageLook {
  /** True if it answered 2xx, with the text if one is asked for. */
  isGood: boolean;
  /** True if it surely was not there: 404, 410, or 2xx without the text. A fault that passes proves nothing. */
  isAbsent: boolean;
  /** What it answered, in words. */
  says: SafeText;
}

/** The page, ready to be looked at. Close it at the end. */
export interface Page {
  url: SafeText;
  /** The address of its site: scheme, host and port. */
  origin: string;
  look(signal: AbortSignal): Promise<PageLook>;
  close(): Promise<void>;
}

const good = (says: SafeText): PageLook => ({ isGood: true, isAbsent: false, says });
const bad = (says: SafeText, isAbsent: boolean): PageLook => ({ isGood: false, isAbsent, says });

/** Opens the page for looking. It is asked without the key. */
export function openPage({ url, contains, userAgent }: PageRequest, host: Host): Page {
  const probe = createProbe(url, userAgent);
  return {
    url: host.clean(url.href),
    origin: url.origin,
    close: () => probe.close(),
    look: async (signal) => {
      const result = await probe.get(signal);
      if ('failure' in result) return bad(host.clean(result.failure), false);
      const { status, text, truncated } = result;
      const says = safe`answered ${status}`;
      if (status < 200 || status > 299) return bad(says, status === 404 || status === 410);
      if (contains === '') return good(says);
      if (text.includes(contains)) return good(safe`${says} with the text of verify-contains`);
      const part = truncated ? safe` in its first 5 MiB` : safe``;
      return bad(safe`${says} without the text of verify-contains${part}`, !truncated);
    },
  };
}

/** How often a page that says nothing new is mentioned, in milliseconds. */
const heartbeatInterval = 30_000;

/** Looks at the page until it is good, telling each change of its answer. Rejects with the signal's reason. */
export async function awaitPage(page: Page, host: Host): Promise<void> {
  const started = host.clock.now();
  let said = safe``;
  let told = started;
  for (;;) {
    const { isGood, says } = await page.look(host.signal);
    const now = host.clock.now();
    const elapsed = now - started;
    if (says !== said || now - told >= heartbeatInterval) {
      host.report({
        type: 'page',
        url: page.url,
        says: says === said ? safe`still ${says}` : says,
        elapsed,
      });
      told = now;
    }
    if (isGood) return;
    said = says;
    await host.clock.sleep(pollPause(elapsed, host.random()), host.signal);
  }
}
