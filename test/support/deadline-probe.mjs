// Loaded into a step's process ahead of its script: lets the step's deadline pass when its log says something.
const { setTimeout, clearTimeout } = globalThis;
const { write } = process.stdout;
const deadline = Number(process.env.DEADLINE_MS);
let printed = '';
let pass;

globalThis.setTimeout = (callback, milliseconds, ...given) => {
  const timer = setTimeout(callback, milliseconds, ...given);
  if (milliseconds === deadline) {
    pass = () => {
      clearTimeout(timer);
      callback(...given);
    };
  }
  return timer;
};
process.stdout.write = (text, ...rest) => {
  printed += text;
  if (printed.includes(process.env.DEADLINE_AT)) {
    setTimeout(pass ?? (() => undefined), 0);
    pass = undefined;
  }
  return write.call(process.stdout, text, ...rest);
};
