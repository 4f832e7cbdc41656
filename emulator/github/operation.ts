import type { Reply } from './exchange.ts';

/** A request for an operation, after its path, query and body were found to be as GitHub describes them. */
export type Call = {
  /** `owner/name`; empty for an operation that concerns none. */
  repository: string;
  /** What stands for each placeholder of the path. */
  parameters: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  body: unknown;
  /** The path as it was asked for. */
  path: string;
  /** Whom the token stands for. */
  login: string;
};

/** Carries a request out. @throws a Refusal for what GitHub would not do */
export type Handler = (call: Call) => Reply | Promise<Reply>;
