/** Who said that a deployment ended: the stream, a poll, the production runtime, or the site itself. */
export type ConfirmedBy = 'stream' | 'poll' | 'production' | 'site' | 'answer';

const confirmations: Readonly<Record<ConfirmedBy, string>> = {
  stream: "seen on the deployment's event stream",
  poll: "seen in the deployment's status",
  production: 'seen by the production runtime turning from pending to published',
  site: 'seen by the site answering as its checks want, which it did not before',
  answer: 'said by the answer to the deployment request',
};

/** How the end was confirmed, in words. */
export function describeConfirmation(confirmedBy: ConfirmedBy): string {
  return confirmations[confirmedBy];
}
