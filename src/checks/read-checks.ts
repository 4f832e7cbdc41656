import { shaOf, unknownCommit } from '../contract/commit.ts';
import type { Step } from '../frame/step.ts';
import { namesOf } from '../inputs/input.ts';
import type { Values } from '../inputs.ts';
import type { Problem } from '../kernel/diagnostic.ts';
import { fillTemplate } from '../kernel/text/format.ts';
import { showMistake, siteProblem } from '../site-file/position.ts';
import { checkInputs } from './inputs.ts';
import {
  type CheckedSite,
  type ChecksRequest,
  type DeclaredCheck,
  fillCheck,
  namesCommit,
} from './intent.ts';
import type { SiteFileCheck } from './site-file.ts';

/** The values of the placeholders; the commit is undefined if it is not known. */
type Placeholders = Pick<CheckedSite, 'hostname'> & { commit: CheckedSite['commit'] | undefined };

/** The check that `verify-url` and `verify-contains` stand for. */
function pageCheck(url: string, contains: string): DeclaredCheck {
  const expected = { method: 'GET', ...(contains !== '' && { contains }) } as const;
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
function originOf(template: string, { commit, hostname = 'x.example' }: Placeholders) {
  const url = URL.parse(
    fillTemplate(template, { sha: commit ?? 'HEAD', 'preview-domain': hostname }),
  );
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined;
}

/** The values of the placeholders and the origin; `page` is the address of `verify-url`. */
function siteOf(template: string | undefined, placeholders: Placeholders) {
  const page = template === undefined ? undefined : originOf(template, placeholders);
  const { commit = unknownCommit, hostname } = placeholders;
  const preview = hostname === undefined ? undefined : `https://${hostname}`;
  return { page, site: { commit, hostname, origin: page?.origin ?? preview } };
}

/** What is wrong with a check of the site file in this run, as the end of a sentence. */
function fileProblem(
  step: Step<'deploy'>,
  check: SiteFileCheck,
  page: URL | undefined,
  site: CheckedSite,
): string | undefined {
  const { starter, code } = step.context.event.trust;
  // A pull request may change the file itself: it must not send the runner to any host.
  if ('url' in check.at && !(starter.kind === 'writer' && code === 'merged')) {
    return 'use a path: in a run that a pull request can start, the file must not name a host';
  }
  const filled = fillCheck(check, site);
  if ('problem' in filled) {
    // A run without a deployment knows no commit, and reports that such a check is not run.
    const isOfCommit = shaOf(site.commit) === undefined && step.inputs.get('deploy') === false;
    const known = { ...site, commit: unknownCommit };
    const checked = isOfCommit ? fillCheck(check, known) : filled;
    return 'problem' in checked ? checked.problem : undefined;
  }
  const { url } = filled;
  return url.protocol === 'https:' || url.host === page?.host
    ? undefined
    : 'url must be https, or on the host of verify-url';
}

/** What is wrong with the inputs, whatever the event and the site. */
function usageProblem(
  isRequested: boolean,
  { deploy, 'verify-url': page, 'verify-contains': contains = '' }: CheckValues,
  wait: string | undefined,
): Problem | undefined {
  if (page === undefined && contains !== '') {
    return { input: 'verify-contains', code: 'SD1101', message: 'needs verify-url' };
  }
  if (!isRequested || !deploy || wait !== 'none') return undefined;
  return page === undefined
    ? { input: 'wait', code: 'SD1101', message: 'is none, but checks need the deployment to end' }
    : { input: 'verify-url', code: 'SD1101', message: 'needs a wait other than none' };
}

/** The inputs that define the checks. */
export const checkNames = [...namesOf(checkInputs), 'deploy', 'config'] as const;

type CheckValues = Pick<Values<'deploy'>, (typeof checkNames)[number]>;

/**
 * Reads the checks: `verify-url` and `verify-contains`, and those of the site file. Adds what is wrong with them to the
 * problems.
 */
export function checksRequest(
  step: Step<'deploy'>,
  declared: readonly SiteFileCheck[],
  placeholders: Placeholders,
  problems: Problem[],
): ChecksRequest | undefined {
  const { inputs } = step;
  return inputs.with(checkNames, (values) => {
    const { 'verify-url': template, 'verify-contains': contains = '', config = '' } = values;
    const short = template === undefined ? [] : [pageCheck(template, contains)];
    const all = [...short, ...declared];
    const misused = usageProblem(all.length > 0, values, inputs.get('wait'));
    if (misused !== undefined) problems.push(misused);
    if (all.length === 0) return undefined;
    const { page, site } = siteOf(template, placeholders);
    problems.push(...short.flatMap((check) => pageProblems(check, site)));
    for (const check of declared) {
      const message = fileProblem(step, check, page, site);
      if (message === undefined) continue;
      const shown = showMistake({ ...check, message });
      problems.push(siteProblem(config, { code: 'SD2010', message: shown }));
    }
    return { declared: all, site, timeout: values['verify-timeout'] };
  });
}
