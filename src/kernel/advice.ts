import type { Operation } from '../contract/operations.ts';
import type { Code } from './code.ts';
import { type SafeText, safe } from './text/safe.ts';

/** The parts of a failed request that decide the advice. */
interface RequestFailure {
  fault: 'invalid' | 'connect' | 'broken' | 'timeout' | 'answer' | 'body' | 'unproven';
  status?: number | undefined;
  /** False only if no attempt of it can have had an effect. */
  mayHaveArrived: boolean;
  details: {
    operation: Operation;
    /** What the connection that could not be opened needs, if that is known. */
    advice?: SafeText | undefined;
    /** An earlier attempt of the same request, which may have arrived. */
    earlier?: unknown;
    /** Of the request to deploy: the commit was pushed by this step, or is in the project's repository already. */
    push?: 'done' | 'not-needed';
  };
}

/** What to do about a failed request, and the code of what happened. */
interface Advice {
  code: Code;
  advice: SafeText;
}

const advise = (code: Code, advice: SafeText): Advice => ({ code, advice });

const notTheApi = advise(
  'SD3405',
  safe`Check base-url: the server there does not accept this request.`,
);

const byStatus: Readonly<Record<number, Advice>> = {
  401: advise(
    'SD3401',
    safe`Check api-key: the service rejected it. A job with environment: uses that environment's secret of the same name.`,
  ),
  404: advise(
    'SD3404',
    safe`Check project-id and base-url. The project must belong to the key's owner; the /projects action lists the ids.`,
  ),
  409: advise(
    'SD3409',
    safe`Another operation is in progress. Rerun the job when it has finished. To prevent this, give the workflow a concurrency group.`,
  ),
  405: notTheApi,
  413: advise('SD3413', safe`The request is larger than the service accepts: shorten the values.`),
  429: advise(
    'SD3429',
    safe`The service limits the request rate: run fewer jobs at once, or raise timeout.`,
  ),
};

const byFault: Readonly<Record<RequestFailure['fault'], Advice>> = {
  invalid: advise('SD3004', safe`Correct this field.`),
  connect: advise(
    'SD3001',
    safe`Check base-url, and whether the runner can reach it (DNS, firewall, proxy).`,
  ),
  broken: advise('SD3002', safe`The request may have arrived; it is safe to rerun the job.`),
  timeout: advise(
    'SD3003',
    safe`The request may have arrived; it is safe to rerun the job. If the service is slow, raise timeout.`,
  ),
  answer: advise('SD3400', safe`Give the request id to the service's operators.`),
  body: advise('SD3005', safe`Check base-url: it must be the URL of the API, not of a web page.`),
  unproven: advise('SD3006', safe`It may still take effect: check the service before a rerun.`),
};

const onDeployment: Readonly<Record<number, Advice>> = {
  409: advise(
    'SD3422',
    safe`Another deployment may be in progress: rerun the job when it has finished. Concurrency groups prevent this.`,
  ),
  ...Object.fromEntries(
    [400, 404, 422].map((status) => [
      status,
      advise(
        'SD3421',
        safe`The project's git repository must contain the commit: set git-url to push it.`,
      ),
    ]),
  ),
};

/** The same where this step pushed the commit, or deploys what is there already. */
const afterPush = {
  done: safe`Check project-id. This step pushed the commit: git-url must be this project's repository, and git-branch a branch that the service deploys.`,
  'not-needed': safe`Check project-id. The project's git repository must contain a commit.`,
} as const;

const alreadySet = advise(
  'SD3424',
  safe`It may be set already, which the API does not show: check the domain on the service, then rerun the job.`,
);

const noDomain = advise(
  'SD3423',
  safe`Check the domain's name in the site file. The key's owner must have registered it.`,
);

const checkFirst = safe`The request may have arrived: check the service before you rerun the job.`;

function adviceOnAnswer({ about, isUnreadable }: Operation, status: number): Advice {
  if (status >= 300 && status < 400) {
    return advise(
      'SD3300',
      safe`Set base-url to the redirect's target: the key is never sent after a redirect.`,
    );
  }
  const special = about === 'deployment' ? onDeployment[status] : undefined;
  if (special !== undefined) return special;
  if (status === 403)
    return advise('SD3403', safe`Check the API key's permissions, then rerun the job.`);
  if (status === 404 && about === 'registered-domain') return noDomain;
  if (status === 404 && about === 'nothing') return notTheApi;
  if (status === 409 && isUnreadable) return alreadySet;
  if (status >= 500)
    return advise('SD3500', safe`The service has an internal error: rerun the job later.`);
  return byStatus[status] ?? byFault.answer;
}

/** The advice for a deployment request with a success status and an unusable body. */
const taken = advise(
  'SD3425',
  safe`The service probably accepted the deployment, and it may go live; without its id it can't be followed.`,
);

/**
 * Advises what to do about a failed request.
 *
 * @returns one or two sentences, and the code of the last attempt, whatever an earlier one may have done
 */
export function adviceFor({ fault, status, mayHaveArrived, details }: RequestFailure): Advice {
  const { operation, earlier, push, advice: known } = details;
  if (fault === 'unproven') return byFault.unproven;
  const isAnswer = fault === 'answer' && status !== undefined;
  const isTaken = fault === 'body' && operation.about === 'deployment';
  const other = isTaken ? taken : byFault[fault];
  const { code, advice: usual } = isAnswer ? adviceOnAnswer(operation, status) : other;
  const advice = code === 'SD3421' && push !== undefined ? afterPush[push] : (known ?? usual);
  if (operation.repeat === 'by-hand' && mayHaveArrived) {
    const after = fault === 'body' ? safe`${checkFirst} ${advice}` : checkFirst;
    return { code, advice: after };
  }
  const isUnsent = fault === 'invalid' || fault === 'connect';
  if (earlier === undefined)
    return { code, advice: isUnsent ? safe`The request was not sent. ${advice}` : advice };
  return {
    code,
    advice: safe`An earlier attempt may have arrived. ${advice}`,
  };
}
