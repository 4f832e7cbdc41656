import { type SafeText, safe } from '../../kernel/text/safe.ts';
import { type Check, wantsRedirect } from './check.ts';

/** What to change, by who declares the check. */
export const own = ({ from }: Check, input: SafeText): SafeText =>
  from === 'inputs' ? input : safe`the check`;

/** What somebody can do about a redirect that is not wanted. */
export function adviceOnRedirect(target: string, check: Check): SafeText {
  const url = own(check, safe`verify-url`);
  if (wantsRedirect(check)) return safe`Mend ${url}, or the page.`;
  return URL.parse(target, check.url.href)?.origin === check.url.origin
    ? safe`It redirects at its own host again and again: let that come to an end.`
    : safe`No redirect to another host is followed, nor from https to http: name that address in ${url}.`;
}

/** What somebody can do about a status that is not wanted. */
export function adviceOn(status: number, check: Check): SafeText {
  const url = own(check, safe`verify-url`);
  if (status === 404 || status === 410) {
    return safe`If the page stands at another address, mend ${url}.`;
  }
  if (status === 401 || status === 403) {
    return safe`The page is asked without a key or a password: ${url} must be a public one.`;
  }
  if (status >= 500) return safe`The site itself fails: look at what it logs.`;
  return safe`Mend ${url}, or the page.`;
}
