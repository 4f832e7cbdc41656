import { type RunCommit, type Sha, shaOf } from '../contract/commit.ts';
import type { planning, ValuesOf } from '../inputs/input.ts';
import type { Problem } from '../kernel/diagnostic.ts';
import type { Trust } from '../kernel/event.ts';
import { fillTemplate } from '../kernel/text/format.ts';
import { showMistake, siteProblem } from '../site-file/position.ts';
import type { checkInputs } from './inputs.ts';
import {
  type CheckedSite,
  type DeclaredCheck,
  fillCheck,
  type JobChecks,
  namesCommit,
} from './intent.ts';
import type { SiteFileCheck } from './site-file.ts';

/** What is filled in for what only GitHub knows: it has the same form. */
const sample = { commit: 'a'.repeat(40) as Sha, hostname: 'preview.example' };

/** The check that `verify-url` and `verify-contains` stand for. */
function pageCheck(url: string, contains: string): DeclaredCheck {
  const expected = { method: 'GET', contains: contains === '' ? undefined : contains } as const;
  return { ...expected, at: { url }, namesCommit: namesCommit(expected), from: 'inputs' };
}

/** What is wrong with the two inputs; what is filled in is the check of both. */
function pageProblems(check: DeclaredCheck, site: CheckedSite): Problem[] {
  const { contains = '', ...address } = check;
  const wrong = (input: string, one: DeclaredCheck) => {
    const filled = fillCheck(one, site);
    return 'problem' in filled ? [{ input, code: 'SD1105' as const, message: filled.problem }] : [];
  };
  const text = { ...check, at: { url: 'https://site.invalid/' }, contains };
  return [...wrong('verify-url', address), ...wrong('verify-contains', text)];
}

/** The origin of `verify-url`; undefined if it has none. */
function originOf(
  template: string,
  { commit, hostname = 'x.example' }: Pick<CheckedSite, 'commit' | 'hostname'>,
) {
  const url = URL.parse(
    fillTemplate(template, { sha: commit ?? 'HEAD', 'preview-domain': hostname }),
  );
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined;
}

/** What is wrong with a check of the site file in this run, as the end of a sentence. */
function fileProblem(
  check: SiteFileCheck,
  { page, site, deploys }: { page: URL | undefined; site: CheckedSite; deploys: boolean },
  { starter, code }: Trust,
): string | undefined {
  // A pull request may change the file itself: it must not send the runner to any host.
  if ('url' in check.at && !(starter.kind === 'writer' && code === 'merged')) {
    return 'use a path: in a run that a pull request can start, the file must not name a host';
  }
  const filled = fillCheck(check, site);
  if ('problem' in filled) {
    // A run without a deployment knows no commit, and reports that such a check is not run.
    const isOfCommit = shaOf(site.commit) === undefined && !deploys;
    const checked = isOfCommit ? fillCheck(check, { ...site, commit: sample.commit }) : filled;
    return 'problem' in checked ? checked.problem : undefined;
  }
  const { url } = filled;
  return url.protocol === 'https:' || url.host === page?.host
    ? undefined
    : 'url must be https, or on the host of verify-url';
}

/** The inputs that decide on checks. */
interface CheckValues
  extends ValuesOf<typeof checkInputs>,
    Pick<ValuesOf<typeof planning>, 'config'> {
  deploy: boolean | 'if-needed';
  wait: string;
}

/** What is wrong with the inputs, whatever the event and the site. */
function usageProblem(
  isRequested: boolean,
  { deploy, 'verify-url': page, 'verify-contains': contains = '', wait }: CheckValues,
): Problem | undefined {
  if (page === undefined && contains !== '') {
    return { input: 'verify-contains', code: 'SD1101', message: 'needs verify-url' };
  }
  if (!isRequested || !deploy || wait !== 'none') return undefined;
  return page === undefined
    ? { input: 'wait', code: 'SD1101', message: 'is none, but checks need the deployment to end' }
    : { input: 'verify-url', code: 'SD1101', message: 'needs a wait other than none' };
}

/** What is known of a run that is checked; undefined is what only GitHub knows. */
interface Checked {
  trust: Trust;
  commit: RunCommit | undefined;
  /** Undefined if the run has none. */
  preview: { hostname: string | undefined } | undefined;
}

/**
 * Reads the checks: `verify-url` and `verify-contains`, and those of the site file. Adds what is wrong with them to the
 * problems.
 */
export function readChecks(
  values: CheckValues,
  declared: readonly SiteFileCheck[],
  { trust, commit, preview }: Checked,
  problems: Problem[],
): JobChecks | undefined {
  const { 'verify-url': template, 'verify-contains': contains = '', config = '' } = values;
  const short = template === undefined ? [] : [pageCheck(template, contains)];
  const all = [...short, ...declared];
  const misused = usageProblem(all.length > 0, values);
  if (misused !== undefined) problems.push(misused);
  if (all.length === 0) return undefined;
  const filled = {
    commit: commit === undefined ? sample.commit : commit,
    hostname: preview && (preview.hostname ?? sample.hostname),
  };
  const page = template === undefined ? undefined : originOf(template, filled);
  const ofPreview = filled.hostname === undefined ? undefined : `https://${filled.hostname}`;
  const site = { ...filled, origin: page?.origin ?? ofPreview };
  problems.push(...short.flatMap((check) => pageProblems(check, site)));
  for (const check of declared) {
    const message = fileProblem(check, { page, site, deploys: values.deploy !== false }, trust);
    if (message === undefined) continue;
    const shown = showMistake({ ...check, message });
    problems.push(siteProblem(config, { code: 'SD2010', message: shown }));
  }
  const isKnown = commit !== undefined && (preview === undefined || preview.hostname !== undefined);
  return { declared: all, site: isKnown ? site : undefined, timeout: values['verify-timeout'] };
}
