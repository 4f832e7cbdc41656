import type { Operation } from '../contract/operations.ts';
import type { Code } from './code.ts';
import { type SafeText, safe } from './text/safe.ts';

/** A failed request, as far as it decides what somebody should do. */
export interface RequestFailure {
  fault: 'invalid' | 'connect' | 'broken' | 'timeout' | 'answer' | 'body' | 'unproven';
  status?: number | undefined;
  /** True unless it, and each earlier try of it, surely had no effect. */
  mayHaveArrived: boolean;
  details: {
    operation: Operation;
    /** An earlier try of the same request may have arrived. */
    earlier?: unknown;
    /** Of the request to deploy: the commit was pushed by this step, or is what is there already. */
    brought?: 'pushed' | 'there';
  };
}

/** What to do about a failed request, and the code of what happened. */
export interface Advice {
  code: Code;
  advice: SafeText;
}

const advise = (code: Code, advice: SafeText): Advice => ({ code, advice });

const byStatus: Readonly<Record<number, Advice>> = {
  401: advise(
    'SD3401',
    safe`Check the input api-key: the service does not accept it. In a job with environment:, a secret of that environment takes the place of the repository's of the same name.`,
  ),
  403: advise(
    'SD3403',
    safe`The key is valid, but may lack the permission for this operation: give it one in the service, or use another key.`,
  ),
  404: advise(
    'SD3404',
    safe`Check project-id and base-url (in a job with environment:, that environment's variables take the place of the repository's), and that the project belongs to the key's owner: GET /v1/projects?filter=all, or the /projects action, lists the ids of those.`,
  ),
  409: advise(
    'SD3409',
    safe`Something else is at work on it: run the job again when that has ended, and give the workflow a concurrency group.`,
  ),
  405: advise(
    'SD3405',
    safe`Check base-url: something there answers, but does not take this request.`,
  ),
  413: advise('SD3413', safe`The request is larger than the service takes: shorten the values.`),
  429: advise(
    'SD3429',
    safe`The service limits the rate of requests: run fewer jobs at once, or raise the input timeout.`,
  ),
};

const byFault: Readonly<Record<RequestFailure['fault'], Advice>> = {
  invalid: advise('SD3004', safe`Correct the named field.`),
  connect: advise(
    'SD3001',
    safe`Check base-url, and whether the runner can reach it (DNS, firewall, http_proxy and https_proxy).`,
  ),
  broken: advise('SD3002', safe`It may have arrived: run the job again, which is safe.`),
  timeout: advise(
    'SD3003',
    safe`It may have arrived: run the job again, which is safe; raise the input timeout if the service is slow.`,
  ),
  answer: advise(
    'SD3400',
    safe`If what the service says makes no sense, give the request id to its operators.`,
  ),
  body: advise(
    'SD3005',
    safe`Check base-url: it must be the address of the API, not of a web page or a proxy.`,
  ),
  unproven: advise(
    'SD3006',
    safe`It may take effect later all the same: look at the service before running the job again.`,
  ),
};

const onDeployment: Readonly<Record<number, Advice>> = {
  409: advise(
    'SD3422',
    safe`Another deployment may be under way: run the job again when it has ended, and give the workflow a concurrency group.`,
  ),
  ...Object.fromEntries(
    [400, 404, 422].map((status) => [
      status,
      advise(
        'SD3421',
        safe`Check project-id, and that the commit was pushed to the project's own git repository before this step (with git-url, this step pushes it); commit-sha: HEAD deploys what is there.`,
      ),
    ]),
  ),
};

/** The same where somebody has done what is told otherwise. */
const onBrought = {
  pushed: safe`Check project-id. This step has pushed the commit: see that git-url is the repository of this very project, and git-branch a branch that the service deploys.`,
  there: safe`Check project-id, and that the project's own git repository has a commit.`,
} as const;

const lookAtDomain = advise(
  'SD3424',
  safe`It may be so already, which the service does not show: look at the domain there, and run the job again.`,
);

const noDomain = advise(
  'SD3423',
  safe`Check the domain's name in the site file, and that it is registered by the key's owner.`,
);

const lookFirst = safe`It may have arrived: look at the service before running the job again.`;

function adviceOnAnswer({ about, isUnreadable }: Operation, status: number): Advice {
  if (status >= 300 && status < 400) {
    return advise(
      'SD3300',
      safe`Set base-url to the address that it redirects to: the key is never sent after a redirect.`,
    );
  }
  const special = about === 'deployment' ? onDeployment[status] : undefined;
  if (special !== undefined) return special;
  if (status === 404 && about === 'registered-domain') return noDomain;
  if (status === 409 && isUnreadable) return lookAtDomain;
  if (status >= 500)
    return advise('SD3500', safe`The service has a fault of its own: run the job again later.`);
  return byStatus[status] ?? byFault.answer;
}

/** The answer to a deployment request that is a success, and unusable. */
const taken = advise(
  'SD3425',
  safe`The service has probably accepted the deployment, which may go live; without its id it cannot be followed.`,
);

/**
 * Says what somebody who reads the log can do about a failed request.
 *
 * @returns one or two sentences, and the code of what happened: of the answer, whatever an earlier try may have done
 */
export function adviceFor({ fault, status, mayHaveArrived, details }: RequestFailure): Advice {
  const { operation, earlier, brought } = details;
  if (fault === 'unproven') return byFault.unproven;
  const isAnswer = fault === 'answer' && status !== undefined;
  const isTaken = fault === 'body' && operation.about === 'deployment';
  const other = isTaken ? taken : byFault[fault];
  const { code, advice: usual } = isAnswer ? adviceOnAnswer(operation, status) : other;
  const advice = code === 'SD3421' && brought !== undefined ? onBrought[brought] : usual;
  if (operation.repeat === 'by-hand' && mayHaveArrived) {
    const after = fault === 'body' ? safe`${lookFirst} ${advice}` : lookFirst;
    return { code, advice: after };
  }
  const isUnsent = fault === 'invalid' || fault === 'connect';
  if (earlier === undefined)
    return { code, advice: isUnsent ? safe`The request was not sent. ${advice}` : advice };
  return {
    code,
    advice: safe`An earlier try of the same request may have arrived. ${advice}`,
  };
}
