/** What the documentation says of an error or a warning, beside the message. */
export interface Entry {
  /** What happened, in a few words: a heading. */
  title: string;
  meaning: string;
  /** What to do. */
  remedy: string;
  /** What it looks like: a message of a real run, without its code. */
  example: string;
}

/** Errors and warnings about one thing, whose codes begin alike. */
export interface Topic<Beginning extends string = string> {
  title: string;
  intro: string;
  entries: Readonly<Record<`${Beginning}${number}`, Entry>>;
}
