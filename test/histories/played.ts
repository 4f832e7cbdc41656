import type { Act, Cause, History, Trouble } from './generate.ts';

/** What the service and GitHub know at one moment. */
export interface Look {
  domains: { hostname: string; projectId: string | null; state: string }[];
  projects: {
    id: string;
    variables: { id: string; name: string; value: string; version: number }[];
    deployments: { id: string; commit: string; status: string; endedAt: number | null }[];
  }[];
  /** The GitHub deployments. */
  records: {
    id: number;
    sha: string;
    environment: string;
    createdAt: string;
    states: string[];
  }[];
  /** `isKept`: by its label. */
  pulls: { number: number; state: 'open' | 'closed'; isKept: boolean }[];
}

/** What happened, in order. */
export type Happening =
  | { what: 'act'; act: Act }
  | { what: 'started' | 'ended'; run: number }
  | {
      what: 'sent';
      run: number | undefined;
      side: 'service' | 'github';
      method: string;
      path: string;
      /** The length of the timeline when the run sent it: it may have waited for its turn since. */
      asked: number;
      body: unknown;
    }
  | {
      what: 'answered';
      run: number | undefined;
      /** Its place in the timeline. */
      request: number;
      status: number;
      /** The whole answer arrived. */
      isTold: boolean;
      body: unknown;
    }
  | ({ what: 'state' } & Look);

export interface RunResult {
  conclusion: string;
  outputs: Record<string, string>;
  /** All that it printed, with its post step. */
  texts: string[];
}

/** A run as it was played. */
export interface PlayedRun {
  run: number;
  cause: Cause;
  runId: string;
  attempt: number;
  commit: string | undefined;
  inputs: Record<string, string>;
  ledgerKey: string;
  key: string;
  /** What no text may contain. */
  secrets: string[];
  declared: Record<string, string>;
  /** When it sent its first request, and when it had ended. */
  before: Look;
  after: Look;
  /** What went wrong, if it came to that. */
  struck: Trouble | null;
  result: RunResult | undefined;
}

/** A history as it was played: all that it is judged by. */
export interface Played {
  history: History;
  timeline: Happening[];
  runs: PlayedRun[];
  end: Look;
  comments: { number: number; body: string; author: string }[];
  issues: { number: number; state: 'open' | 'closed'; title: string; body: string | null }[];
  recordTexts: string;
  /** What GitHub found wrong with requests. */
  violations: string[];
  /** The oldest first, in one line. */
  commits: readonly string[];
  /** The ids, by name. */
  projects: Record<string, string>;
}
