import { formatDuration } from '../kernel/text/format.ts';
import { type SafeText, type Sanitize, safe } from '../kernel/text/safe.ts';
import { countOf } from '../report/closing.ts';
import { type ExplainedCheck, leaves, type NamedHost, type Row } from '../report/explanation.ts';
import { fillCheck, type JobChecks } from './intent.ts';
import { describeExpected } from './result.ts';

/** The host of a check's URL; one with a placeholder is the site's own. */
function hostOf(url: string, clean: Sanitize): NamedHost {
  const host = url.includes('{') ? undefined : URL.parse(url)?.host;
  return { host: host === undefined ? safe`the deployed site` : clean(host), what: safe`checks` };
}

/** @param when the time at which they run, such as `at once` */
export function explainChecks(checks: JobChecks | undefined, when: SafeText, clean: Sanitize): Row {
  const about = safe`Checks`;
  const count = checks?.declared.length ?? 0;
  if (checks === undefined || count === 0) {
    return leaves(about, safe`neither verify-url nor the site file has any.`);
  }
  return {
    about,
    does: safe`${countOf(count, safe`check`)}, ${when}: each must pass twice in a row, a second apart, within verify-timeout (${formatDuration(checks.timeout)}). Otherwise the run fails.`,
    hosts: checks.declared.map(({ at }) => hostOf('url' in at ? at.url : '', clean)),
  };
}

/** The checks; as declared, if the values of their placeholders are not known yet. */
export function listChecks(checks: JobChecks | undefined, clean: Sanitize): ExplainedCheck[] {
  return (checks?.declared ?? []).map((declared) => {
    const filled = checks?.site && fillCheck(declared, checks.site);
    const address = 'url' in declared.at ? declared.at.url : declared.at.path;
    if (filled !== undefined && 'problem' in filled) {
      return { what: clean(address), expected: safe`not run: ${clean(filled.problem)}` };
    }
    const what = clean(filled?.url.href ?? address);
    return { what, expected: describeExpected(filled ?? declared, clean) };
  });
}
