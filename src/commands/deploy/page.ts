import { isLoopback } from '../../contract/base-url.ts';
import { pollPause } from '../../core/deployment/schedule.ts';
import { joinSafe, type SafeText, safe } from '../../core/text/safe.ts';
import { sentence } from '../../core/text/sentence.ts';
import { createProbe, type ProbeResult } from '../../service/probe.ts';
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
  /** What somebody can do about that; empty if it is good. */
  advice: SafeText;
}

/** The page, ready to be looked at. Close it at the end. */
export interface Page {
  url: SafeText;
  /** The last look; undefined before the first. */
  readonly last: PageLook | undefined;
  /** True if what the page shows is shown at a hostname's own address: https, or loopback. */
  isAt(hostname: string): boolean;
  /** The address of its site: scheme, host and port. */
  origin: string;
  look(signal: AbortSignal): Promise<PageLook>;
  close(): Promise<void>;
}

/** What somebody can do about a status that is not 2xx. */
function adviceOn(status: number): SafeText {
  if (status === 404 || status === 410) {
    return safe`If the page stands at another address, mend verify-url.`;
  }
  if (status === 401 || status === 403) {
    return safe`The page is asked without a key or a password: verify-url must be a public one.`;
  }
  if (status >= 500) return safe`The site itself fails: look at what it logs.`;
  return safe`Mend verify-url, or the page: it must answer 200 to 299.`;
}

const unreached = safe`Is the name of verify-url in DNS, and does it serve a valid certificate?`;
const lacking = safe`If the page shows it in other words, mend verify-contains.`;

/** What an answer, or the lack of one, means. */
function judge(result: ProbeResult, contains: string, clean: Host['clean']): PageLook {
  const bad = (says: SafeText, advice: SafeText, isAbsent = false) => ({
    isGood: false,
    isAbsent,
    says,
    advice,
  });
  if ('failure' in result) return bad(clean(result.failure), unreached);
  const { status, text, truncated } = result;
  const says = safe`answered ${status}`;
  if (status < 200 || status > 299) {
    return bad(says, adviceOn(status), status === 404 || status === 410);
  }
  const good = { isGood: true, isAbsent: false, advice: safe`` };
  if (contains === '') return { ...good, says };
  if (text.includes(contains)) {
    return { ...good, says: safe`${says} with the text of verify-contains` };
  }
  const part = truncated ? safe` in its first 5 MiB` : safe``;
  return bad(safe`${says} without the text of verify-contains${part}`, lacking, !truncated);
}

/** Opens the page for looking. It is asked without the key. */
export function openPage({ url, contains, userAgent }: PageRequest, host: Host): Page {
  const probe = createProbe(url, userAgent);
  const isSecure = (url.protocol === 'https:' && url.port === '') || isLoopback(url);
  let last: PageLook | undefined;
  return {
    url: host.clean(url.href),
    get last() {
      return last;
    },
    isAt: (hostname) => isSecure && url.hostname === hostname,
    origin: url.origin,
    close: () => probe.close(),
    look: async (signal) => {
      last = judge(await probe.get(signal), contains, host.clean);
      return last;
    },
  };
}

/** What the page answered last, and what somebody can do about it. */
export function describeLast({ url, last }: Page): SafeText {
  if (last === undefined) return safe`${url} has not answered yet.`;
  return joinSafe([sentence(safe`${url}, last seen: ${last.says}`), last.advice], ' ');
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
