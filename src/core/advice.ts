import type { Operation } from '../contract/operations.ts';
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
  };
}

const byStatus: Readonly<Record<number, SafeText>> = {
  401: safe`Check the input api-key: the service does not accept it. In a job with environment:, a secret of that environment takes the place of the repository's of the same name.`,
  403: safe`The key is valid, but may lack the permission for this operation: give it one in the service, or use another key.`,
  404: safe`Check project-id and base-url (in a job with environment:, that environment's variables take the place of the repository's), and that the project belongs to the key's owner: GET /v1/projects?filter=all, or the /projects action, lists the ids of those.`,
  409: safe`Something else is at work on it: run the job again when that has ended, and give the workflow a concurrency group.`,
  405: safe`Check base-url: something there answers, but does not take this request.`,
  413: safe`The request is larger than the service takes: shorten the values.`,
  429: safe`The service limits the rate of requests: run fewer jobs at once, or raise the input timeout.`,
};

const byFault: Readonly<Record<RequestFailure['fault'], SafeText>> = {
  invalid: safe`Nothing was sent: correct the named field.`,
  connect: safe`Nothing was sent. Check base-url, and whether the runner can reach it (DNS, firewall, http_proxy and https_proxy).`,
  broken: safe`It may have arrived: run the job again, which is safe.`,
  timeout: safe`It may have arrived: run the job again, which is safe; raise the input timeout if the service is slow.`,
  answer: safe`Read what the service says above; if it makes no sense, give the request id to its operators.`,
  body: safe`Check base-url: it must be the address of the API, not of a web page or a proxy.`,
  unproven: safe`It may take effect later all the same: look at the service before running the job again.`,
};

const onDeployment: Readonly<Record<number, SafeText>> = {
  409: safe`Another deployment may be under way: run the job again when it has ended, and give the workflow a concurrency group.`,
  ...Object.fromEntries(
    [400, 404, 422].map((status) => [
      status,
      safe`Check project-id, and that the commit was pushed to the project's own git repository before this step (with git-url, this step pushes it); commit-sha: HEAD deploys what is there.`,
    ]),
  ),
};

const lookAtDomain = safe`It may be so already, which the service does not show: look at the domain there, and run the job again.`;

const noDomain = safe`Check the domain's name in the site file, and that it is registered by the key's owner.`;

const lookFirst = safe`It may have arrived: look at the service before running the job again.`;

function adviceOnAnswer({ about, isUnreadable }: Operation, status: number): SafeText {
  if (status >= 300 && status < 400) {
    return safe`Set base-url to the address that it redirects to: the key is never sent after a redirect.`;
  }
  const special = about === 'deployment' ? onDeployment[status] : undefined;
  if (special !== undefined) return special;
  if (status === 404 && about === 'registered-domain') return noDomain;
  if (status === 409 && isUnreadable) return lookAtDomain;
  if (status >= 500) return safe`The service has a fault of its own: run the job again later.`;
  return byStatus[status] ?? byFault.answer;
}

/** The answer to a deployment request that is a success, and unusable. */
const taken = safe`The service has probably accepted the deployment, which may go live; without its id it cannot be followed.`;

/**
 * Says what somebody who reads the log can do about a failed request.
 *
 * @returns one or two sentences
 */
export function adviceFor({ fault, status, mayHaveArrived, details }: RequestFailure): SafeText {
  const { operation, earlier } = details;
  if (fault === 'unproven') return byFault.unproven;
  if (operation.repeat === 'by-hand' && mayHaveArrived) {
    return fault === 'body' ? safe`${lookFirst} ${byFault.body}` : lookFirst;
  }
  const isAnswer = fault === 'answer' && status !== undefined;
  const isTaken = fault === 'body' && operation.about === 'deployment';
  const other = isTaken ? taken : byFault[fault];
  const advice = isAnswer ? adviceOnAnswer(operation, status) : other;
  if (earlier === undefined) return advice;
  return safe`An earlier try of the same request may have arrived. ${advice}`;
}
