/**
 * Splits a stream's text into lines as it comes. `\r\n`, `\n` and a lone `\r` end a line, as for the runner.
 * @param onLine called with each line; the last one, if it has no end, comes with `end()`.
 */
export function lineSplitter(onLine: (line: string) => void): {
  push: (chunk: string) => void;
  end: () => void;
} {
  let rest = '';
  return {
    push: (chunk) => {
      const text = rest + chunk;
      // A `\r` at the end may be the first half of `\r\n`.
      const whole = text.endsWith('\r') ? text.slice(0, -1) : text;
      const lines = whole.split(/\r\n|\r|\n/);
      rest = (lines.pop() ?? '') + text.slice(whole.length);
      for (const line of lines) onLine(line);
    },
    end: () => {
      if (rest !== '') onLine(rest.replace(/\r$/, ''));
      rest = '';
    },
  };
}
