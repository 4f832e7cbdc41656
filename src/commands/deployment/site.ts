import { pollPause } from '../../core/deployment/schedule.ts';
import { createProbe } from '../../service/probe.ts';
import type { Host } from '../host.ts';

/** The page that must answer once the deployment is live. */
export interface SiteRequest {
  url: URL;
  /** A text that it must contain; empty: any will do. */
  contains: string;
  userAgent: string;
}

/** One look at the page. */
export interface SiteLook {
  /** True if it answered 2xx, with the text if one is asked for. */
  isGood: boolean;
  /** What it answered, in words. */
  says: string;
}

/** The page, ready to be looked at. Close it at the end. */
export interface Site {
  url: string;
  look(signal: AbortSignal): Promise<SiteLook>;
  close(): Promise<void>;
}

/** Opens the page for looking. It is asked without the key. */
export function openSite({ url, contains, userAgent }: SiteRequest, host: Host): Site {
  const probe = createProbe(url, userAgent);
  return {
    url: host.clean(url.href),
    close: () => probe.close(),
    look: async (signal) => {
      const result = await probe.get(signal);
      if ('failure' in result) return { isGood: false, says: host.clean(result.failure) };
      const { status, text, truncated } = result;
      if (status < 200 || status > 299) return { isGood: false, says: `answered ${status}` };
      if (contains === '') return { isGood: true, says: `answered ${status}` };
      if (text.includes(contains)) {
        return { isGood: true, says: `answered ${status} with the text of verify-contains` };
      }
      const part = truncated ? ' in its first 5 MiB' : '';
      return {
        isGood: false,
        says: `answered ${status} without the text of verify-contains${part}`,
      };
    },
  };
}

/** Looks at the page until it is good, telling each change of its answer. Rejects with the signal's reason. */
export async function awaitSite(site: Site, host: Host): Promise<void> {
  const started = host.clock.now();
  let said = '';
  for (;;) {
    const { isGood, says } = await site.look(host.signal);
    const elapsed = host.clock.now() - started;
    if (says !== said) host.report({ type: 'page', url: site.url, says, elapsed });
    if (isGood) return;
    said = says;
    await host.clock.sleep(pollPause(elapsed, host.random()), host.signal);
  }
}
