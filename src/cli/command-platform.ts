import type { Problem } from '../kernel/diagnostic.ts';
import { reword } from '../kernel/diagnostic.ts';
import { readFileBelow } from '../machine.ts';
import type {
  Kept,
  OnCancel,
  Platform,
  RunContext,
  StepEnvironment,
  StepOutcome,
} from '../platform.ts';
import type { RunResult } from '../report/outputs.ts';
import type { RunName } from './commands.ts';
import { logIn, type View } from './view.ts';
import type { Words } from './words.ts';

/** What the command line knows of a run before it begins. */
export interface CommandRun {
  command: RunName;
  /** When it began, in milliseconds since the epoch. */
  started: number;
  /** The environment of the process, without secrets that are not for a site. */
  environment: StepEnvironment;
  /** The texts of the inputs. */
  inputs: Readonly<Record<string, string>>;
  problems: readonly Problem[];
  secrets: readonly string[];
  context: RunContext;
  onCancel: OnCancel;
  words: Words;
}

/** What a run leaves. */
export interface Left {
  result: RunResult;
  /** The summary, as Markdown. */
  summary: string;
  /** Undefined if it broke off. */
  ended: StepOutcome | undefined;
}

/** A result whose errors are in the command's words, and why something is not known. */
function inWords({ outputs, error, wrongInputs, ...result }: RunResult, words: Words): RunResult {
  const { translate } = words;
  const unknown = outputs.unknown?.map((one) => ({ ...one, why: translate(one.why) }));
  return {
    ...result,
    outputs: { ...outputs, unknown },
    error: error && reword(error, translate),
    wrongInputs: wrongInputs?.map((one) => ({ ...one, text: translate(one.text) })),
  };
}

/** The command line as the platform of a run, and what the run leaves. */
export function commandPlatform(run: CommandRun, view: View): { platform: Platform; left: Left } {
  const { words } = run;
  const left: Left = {
    result: { action: run.command, outputs: { outcome: 'failed' } },
    summary: '',
    ended: undefined,
  };
  const kept: Kept = {
    setOutputs: (result) => {
      left.result = inWords(result, words);
    },
    // There is no post step.
    save: () => undefined,
    read: () => '',
    addSummary: (markdown) => {
      left.summary = words.translate(markdown);
    },
    end: (ended) => {
      left.ended = ended;
    },
  };
  const platform: Platform = {
    started: run.started,
    input: (name) => (Object.hasOwn(run.inputs, name) ? run.inputs[name] : undefined),
    environment: run.environment,
    problems: run.problems,
    secrets: run.secrets,
    readContext: () => run.context,
    readFile: (path) => readFileBelow(run.context.workspace, path),
    onCancel: run.onCancel,
    // Each line is redacted before it is shown, and nobody else prints.
    mask: () => undefined,
    openLog: (redact) => logIn(view, redact, words),
    load: () => Promise.resolve(kept),
  };
  return { platform, left };
}
