import { styleText } from 'node:util';
import { formatDuration } from '../kernel/text/format.ts';
import { drain, plainLine, type Shown, type View } from './view.ts';

/** A terminal, as far as the view needs it. */
export interface Screen {
  stream: NodeJS.WriteStream;
  hasColor: boolean;
}

/** How often what moves is drawn, in milliseconds. */
const pace = 100;

/** How many lines of the build's log move at the end, and how many stay after a failure. */
const moving = 5;
const kept = 20;

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** Of the 16 colors that a person's theme has for light and dark, and how bright they are. */
type Color = 'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold';

/** The color of a line by its mark: what is added, changed, removed or wrong. */
const ofMark: Readonly<Record<string, Color>> = {
  '+': 'green',
  '✓': 'green',
  '~': 'yellow',
  '!': 'yellow',
  '?': 'yellow',
  '-': 'red',
  '×': 'red',
  '✅': 'green',
};

/** The color of a line by its kind. */
const ofKind: Readonly<Partial<Record<Shown['kind'], Color>>> = {
  'build-log': 'dim',
  group: 'bold',
  notice: 'cyan',
  warning: 'yellow',
  error: 'red',
};

function colorOf({ kind, text }: Shown): Color | undefined {
  if (kind !== 'line') return ofKind[kind];
  const [mark = '', after = ''] = [text.slice(0, 1), text.slice(1, 2)];
  return after === ' ' && Object.hasOwn(ofMark, mark) ? ofMark[mark] : undefined;
}

/** Colors a text, where there are colors. */
const paint = (text: string, color: Color | undefined, hasColor: boolean): string =>
  hasColor && color !== undefined ? styleText(color, text, { validateStream: false }) : text;

/** A line as it is shown with color. */
const colored = (line: Shown, hasColor: boolean): string =>
  paint(plainLine(line), colorOf(line), hasColor);

/** Lines one after another, in color: a terminal in which nothing may move. */
export const coloredView = (stream: NodeJS.WriteStream): View => ({
  show: (line) => void stream.write(`${colored(line, true)}\n`),
  drained: (signal) => drain(stream, signal),
  close: () => undefined,
});

const wide =
  /\p{Extended_Pictographic}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;
const none = /^(?:\p{Mark}|[\u200b-\u200d]|\ufe0f)/u;

/** How many columns a character takes; too many rather than too few. */
function widthOf(character: string): number {
  if (none.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

/** The beginning of a text that fits into so many columns. */
export function fitting(text: string, columns: number): string {
  let left = columns;
  let end = 0;
  for (const character of text) {
    left -= widthOf(character);
    if (left < 0) return text.slice(0, end);
    end += character.length;
  }
  return text;
}

/**
 * Lines that stay, and below them what goes on: the end of the build's log, the status and the time. It moves in place, and
 * is taken away at the end.
 */
export class LiveView implements View {
  readonly #screen: Screen;
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #timer: NodeJS.Timeout;
  #status: string;
  readonly #build: string[] = [];
  /** How many lines move now. */
  #drawn = 0;

  /** @param status what the run does at first */
  constructor(screen: Screen, status: string, now: () => number = Date.now) {
    this.#screen = screen;
    this.#status = status;
    this.#now = now;
    this.#startedAt = now();
    this.#timer = setInterval(() => this.#draw(), pace);
    this.#timer.unref();
  }

  show(line: Shown): void {
    if (line.status !== undefined) this.#status = line.status;
    if (line.kind === 'build-log') {
      this.#build.push(line.text);
      if (this.#build.length > kept) this.#build.shift();
      return;
    }
    if (line.isStill) return;
    this.#draw(`${colored(line, this.#screen.hasColor)}\n`);
  }

  drained(signal: AbortSignal): Promise<void> {
    return drain(this.#screen.stream, signal);
  }

  close(hasFailed: boolean): void {
    clearInterval(this.#timer);
    const left = hasFailed ? this.#build : [];
    const lines = left.map((text) => `${this.#buildLine(text)}\n`);
    this.#screen.stream.write(`${this.#erasure()}${lines.join('')}`);
    this.#drawn = 0;
  }

  #buildLine(text: string): string {
    return colored({ kind: 'build-log', text }, this.#screen.hasColor);
  }

  /** What takes away the lines that move. */
  #erasure(): string {
    return this.#drawn === 0 ? '' : `\u001b[${this.#drawn}A\u001b[0J`;
  }

  /** Draws what moves, below lines that stay. */
  #draw(staying = ''): void {
    const { stream, hasColor } = this.#screen;
    const columns = Math.max(20, stream.columns || 80) - 1;
    const most = Math.max(1, Math.min(moving, (stream.rows || 24) - 3));
    const elapsed = this.#now() - this.#startedAt;
    const frame = frames[Math.floor(elapsed / pace) % frames.length] ?? '';
    const time = formatDuration(Math.floor(elapsed / 1000) * 1000);
    const build = this.#build
      .slice(-most)
      .map((text) =>
        paint(fitting(plainLine({ kind: 'build-log', text }), columns), 'dim', hasColor),
      );
    const now = fitting(`${frame} ${this.#status} · ${time}`, columns);
    const lines = [...build, paint(now, 'cyan', hasColor)];
    const drawn = lines.map((line) => `${line}\n`).join('');
    stream.write(`${this.#erasure()}${staying}${drawn}`);
    this.#drawn = lines.length;
  }
}
