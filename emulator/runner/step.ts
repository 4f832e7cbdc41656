import { isAbsolute, relative, sep } from 'node:path';
import { StepLog } from './log.ts';
import type { SecretMasker } from './masks.ts';
import { isWithin } from './within.ts';

export type AnnotationLevel = 'error' | 'warning' | 'notice';

/** A message that GitHub shows beside a run and, with a `file`, beside the code. */
export type Annotation = {
  level: AnnotationLevel;
  /** Masked, at most 4,096 characters. */
  message: string;
  /** Not masked: the runner masks messages only. */
  title?: string;
  file?: string;
  line?: number;
  endLine?: number;
  column?: number;
  endColumn?: number;
};

const annotationsPerLevel = 10;
const messageLength = 4096;
const words = { error: 'Error', warning: 'Warning', notice: 'Notice' } as const;

/** What one step has said and set so far. Workflow commands and file commands write into it. */
export class Step {
  readonly log: StepLog;
  readonly outputs = new Map<string, string>();
  readonly env = new Map<string, string>();
  readonly path: string[] = [];
  readonly annotations: Annotation[] = [];
  summary = '';
  /** Set by a command that could not be processed; it fails the step whatever the exit code is. */
  failed = false;
  readonly masker: SecretMasker;
  /** State that lives from `pre` to `post`. */
  readonly state: Map<string, string>;
  readonly #workspace: string;

  constructor(options: {
    masker: SecretMasker;
    state: Map<string, string>;
    workspace: string;
    onLine: (line: string) => void;
  }) {
    this.masker = options.masker;
    this.state = options.state;
    this.#workspace = options.workspace;
    this.log = new StepLog(options.masker, options.onLine);
  }

  /** Logs an error, as an annotation too. It does not fail the step. */
  error(message: string): void {
    this.annotate('error', message);
  }

  /** Logs a warning, as an annotation too. */
  warning(message: string): void {
    this.annotate('warning', message);
  }

  /** Logs what went wrong with a command and fails the step. */
  fail(what: string, cause: unknown): void {
    this.error(what);
    this.error(cause instanceof Error ? cause.message : String(cause));
    this.failed = true;
  }

  /**
   * Logs a message and annotates the run with it. After ten annotations of one level, further ones only log.
   * @param properties of the workflow command, by lower-case name.
   */
  annotate(
    level: AnnotationLevel,
    text: string,
    properties: ReadonlyMap<string, string> = new Map(),
  ): void {
    const message = this.masker.mask(text).slice(0, messageLength);
    const count = this.annotations.filter((annotation) => annotation.level === level).length;
    if (count < annotationsPerLevel) {
      this.annotations.push({ level, message, ...this.#place(properties) });
    }
    if (message !== '') this.log.write(`${words[level]}: ${message}`);
  }

  #place(properties: ReadonlyMap<string, string>): Partial<Annotation> {
    const title = properties.get('title');
    const file = properties.get('file');
    return {
      ...(title === undefined ? {} : { title }),
      ...(file === undefined ? {} : { file: this.#inRepository(file) }),
      ...number('line', properties.get('line')),
      ...number('endLine', properties.get('endline')),
      ...number('column', properties.get('col')),
      ...number('endColumn', properties.get('endcolumn')),
    };
  }

  #inRepository(file: string): string {
    const inside = isAbsolute(file) && isWithin(this.#workspace, file);
    return inside ? relative(this.#workspace, file).replaceAll(sep, '/') : file;
  }
}

const number = (name: keyof Annotation, text: string | undefined) =>
  text !== undefined && /^\d+$/.test(text) ? { [name]: Number(text) } : {};
