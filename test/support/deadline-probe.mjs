// Loaded into a step's process ahead of its script: lets the step's deadline pass when its log has said some texts, each
// a line of DEADLINE_AT.
const { setTimeout, clearTimeout } = globalThis;
const { write } = process.stdout;
const deadline = Number(process.env.DEADLINE_MS);
const texts = process.env.DEADLINE_AT.split('\n');
let printed = '';
let pass;

globalThis.setTimeout = (callback, milliseconds, ...given) => {
  const timer = setTimeout(callback, milliseconds, ...given);
  // The deadline counts from the start of the process.
  if (milliseconds <= deadline && milliseconds > deadline - 60_000) {
    pass = () => {
      clearTimeout(timer);
      callback(...given);
    };
  }
  return timer;
};
process.stdout.write = (text, ...rest) => {
  printed += text;
  if (texts.every((text) => printed.includes(text))) {
    setTimeout(pass ?? (() => undefined), 0);
    pass = undefined;
  }
  return write.call(process.stdout, text, ...rest);
};
