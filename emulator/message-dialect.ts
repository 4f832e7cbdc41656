/** The choices about messages and the creation of projects (sections "Message", "Project" and "Events"). */
export interface MessageDialect {
  /** The most characters that the `content` of a message may have, or null for no limit. */
  contentLimit: number | null;
  /** A message to a project with a running turn: it waits for its own turn, or returns 409. */
  overlappingMessages: 'queued' | '409';
  /** The status words. `steps` are the words between `queued` and the end. */
  messageWords: MessageWords;
  /** How turns end. Only a turn that succeeds changes the project's repository. */
  messageEnds: MessageEnd | ((message: TurnSubject) => MessageEnd);
  /** Milliseconds from a turn's start to its end, split evenly among its states and the pieces of its text. */
  turnMs: number;
  /** The text of a turn, in the pieces that its stream sends. */
  turnText: string[];
  /** Bytes of text that a turn sends after that, in events of at most 16 KiB. They are generated while sending. */
  fillerBytes: number;
  /** The field of the JSON with a piece of text. */
  textShape: 'text' | 'delta' | 'message' | 'content';
  /** Whether a turn's event stream exists. */
  messageOffers: 'stream' | 'neither';
  /** Milliseconds after a message's creation until its event stream is there. */
  messageOfferedAfterMs: number;
  /** The path of a turn's event stream: `{messageId}`, and `{projectId}` if the path names it. */
  messageEventsPath: string;
  /** The words of `sandboxState`: before the first turn, while that one starts, and from then on. */
  sandboxWords: SandboxWords;
  /** The words of `provisioningState`. */
  provisioningWords: ProvisioningWords;
  /** The result of provisioning a project that a client created; turns wait for it. */
  provisioningEnds: 'success' | 'failure' | 'never';
  /** Milliseconds from a project's creation to that result. With 0 it comes before the response. */
  provisionMs: number;
}

/** How a turn ends; `never` leaves it in its last step. */
export type MessageEnd = 'success' | 'failure' | 'never';

/** The message of a turn whose end is chosen. */
export interface TurnSubject {
  readonly id: string;
  readonly projectId: string;
  readonly prompt: string;
}

/** The words of a message's status, in the order in which they appear. */
export interface MessageWords {
  queued: string;
  steps: string[];
  success: string;
  failure: string;
}

/** The words of a project's sandbox. */
export interface SandboxWords {
  none: string;
  starting: string;
  running: string;
}

/** The words of a project's provisioning: while it is under way, and its two ends. */
export interface ProvisioningWords {
  working: string;
  ready: string;
  failed: string;
}

type Words = Pick<MessageDialect, 'messageWords' | 'sandboxWords' | 'provisioningWords'>;

/** Some of a dialect's words; the rest has defaults. */
export type MessageWordsOptions = { [Field in keyof Words]?: Partial<Words[Field]> };

/** The defaults. */
export const messageDefaults: MessageDialect = {
  contentLimit: null,
  overlappingMessages: 'queued',
  messageWords: {
    queued: 'queued',
    steps: ['running'],
    success: 'succeeded',
    failure: 'failed',
  },
  messageEnds: 'success',
  turnMs: 150,
  turnText: ['I read the request. ', 'I changed the first page, ', 'and committed the change.'],
  fillerBytes: 0,
  textShape: 'text',
  messageOffers: 'stream',
  messageOfferedAfterMs: 0,
  messageEventsPath: '/v1/projects/{projectId}/messages/{messageId}/events',
  sandboxWords: { none: 'none', starting: 'starting', running: 'running' },
  provisioningWords: { working: 'provisioning', ready: 'ready', failed: 'failed' },
  provisioningEnds: 'success',
  provisionMs: 0,
};

/** All words from some. */
export function completeMessageWords(defaults: Words, given: MessageWordsOptions): Words {
  return {
    messageWords: { ...defaults.messageWords, ...given.messageWords },
    sandboxWords: { ...defaults.sandboxWords, ...given.sandboxWords },
    provisioningWords: { ...defaults.provisioningWords, ...given.provisioningWords },
  };
}
