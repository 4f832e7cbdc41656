import type { AnnotationLevel, Step } from './step.ts';
import { parseCommand, type WorkflowCommand } from './workflow-commands.ts';

type Handler = {
  /** True for commands that `::echo::on` never shows. */
  quiet?: boolean;
  run: (command: WorkflowCommand) => void;
};

const deprecated = (name: string) =>
  `The \`${name}\` command is deprecated and will be disabled soon. Please upgrade to using Environment Files.`;
const disabled = (name: string) =>
  `The \`${name}\` command is disabled. Please upgrade to using Environment Files.`;

/** Carries out the workflow commands in a step's output, by the rules of GitHub's runner. */
export class CommandProcessor {
  readonly #step: Step;
  readonly #debug: boolean;
  readonly #handlers: ReadonlyMap<string, Handler>;
  #echo: boolean;
  /** While set, commands are plain output until a command of this name. */
  #stopToken: string | undefined;

  /** @param debug shows `::debug::` messages and echoes commands, as a run with debug logging does. */
  constructor(step: Step, debug: boolean) {
    this.#step = step;
    this.#debug = debug;
    this.#echo = debug;
    this.#handlers = new Map(Object.entries(this.#table()));
  }

  /** Takes one line of stdout or stderr: carries out the command in it, or logs it. */
  process(line: string): void {
    const command = parseCommand(line, (name) => this.#isCommand(name));
    if (command === undefined) this.#step.log.write(line);
    else if (this.#stopToken !== undefined) this.#whileStopped(this.#stopToken, command, line);
    else this.#carryOut(command, line);
  }

  #isCommand(name: string): boolean {
    return this.#handlers.has(name) || name === this.#stopToken;
  }

  #whileStopped(token: string, command: WorkflowCommand, line: string): void {
    this.#step.log.write(line);
    if (command.name === token) this.#stopToken = undefined;
  }

  #carryOut(command: WorkflowCommand, line: string): void {
    const handler = this.#handlers.get(command.name);
    if (this.#echo && handler?.quiet !== true) this.#step.log.write(line);
    try {
      handler?.run(command);
    } catch (error) {
      const shown = handler?.quiet === true ? command.name : line;
      this.#step.fail(`Unable to process command '${shown}' successfully.`, error);
    }
  }

  #table(): Record<string, Handler> {
    const step = this.#step;
    return {
      error: this.#annotation('error'),
      warning: this.#annotation('warning'),
      notice: this.#annotation('notice'),
      debug: { quiet: true, run: ({ data }) => this.#writeDebug(data) },
      group: { run: ({ data }) => step.log.startGroup(data) },
      endgroup: { run: () => step.log.endGroup() },
      echo: { run: ({ data }) => this.#switchEcho(data) },
      'add-mask': { quiet: true, run: ({ data }) => this.#addMask(data) },
      'stop-commands': { run: (command) => this.#stop(command) },
      'set-output': this.#deprecated((name, value) => step.outputs.set(name, value)),
      'save-state': this.#deprecated((name, value) => step.state.set(name, value)),
      'set-env': this.#disabled(),
      'add-path': this.#disabled(),
      // Problem matchers are recognised, as by the runner, but not applied.
      'add-matcher': { run: () => undefined },
      'remove-matcher': { run: () => undefined },
    };
  }

  #annotation(level: AnnotationLevel): Handler {
    return {
      quiet: true,
      run: ({ data, properties }) => this.#step.annotate(level, data, properties),
    };
  }

  #deprecated(set: (name: string, value: string) => void): Handler {
    return {
      run: (command) => {
        this.#step.warning(deprecated(command.name));
        const name = command.properties.get('name');
        if (name === undefined) {
          throw new Error(`Required field 'name' is missing in ##[${command.name}] command.`);
        }
        set(name, command.data);
      },
    };
  }

  #disabled(): Handler {
    return {
      run: ({ name }) => {
        throw new Error(disabled(name));
      },
    };
  }

  #writeDebug(data: string): void {
    if (!this.#debug) return;
    for (const line of data.split(/\r?\n/)) this.#step.log.write(`##[debug]${line}`);
  }

  #addMask(data: string): void {
    if (data.trim() === '') {
      this.#step.warning("Can't add secret mask for empty string in ##[add-mask] command.");
      return;
    }
    if (this.#echo) this.#step.log.write('::add-mask::***');
    this.#step.masker.addWithLines(data);
  }

  #switchEcho(data: string): void {
    const value = data.trim().toLowerCase();
    if (value !== 'on' && value !== 'off') {
      throw new Error(
        `Invalid echo command value. Possible values can be: 'on', 'off'. Current value is: '${data}'.`,
      );
    }
    this.#echo = value === 'on';
  }

  #stop({ name, data }: WorkflowCommand): void {
    const token = data.toLowerCase();
    if (token === '' || token === 'pause-logging' || this.#handlers.has(token)) {
      throw new Error(
        "You cannot use a endToken that is an empty string, the string 'pause-logging', or another workflow command.",
      );
    }
    this.#stopToken = token;
    if (data.length > 6) this.#step.masker.add(data);
    if (!this.#echo) this.#step.log.write(`::${name}::${data}`);
  }
}
