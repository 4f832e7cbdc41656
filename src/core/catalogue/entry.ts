/** What the documentation says of an error or a warning, beside the message. It is never loaded by a runner. */
export interface Entry {
  /** What happened, in a few words: a heading. */
  title: string;
  /** What it means. */
  meaning: string;
  /** What to do. */
  remedy: string;
  /** What it looks like: a message of a real run, without its code. */
  example: string;
}
