// Loaded into a step's process ahead of its script: notes in a file what the process has loaded when the head of its
// first request is written, and what the runner was told by then.
import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const files = [];
let printed = '';
let isWritten = false;
const { write } = process.stdout;

process.stdout.write = (text, ...rest) => {
  if (!isWritten) printed += text;
  return write.call(process.stdout, text, ...rest);
};
registerHooks({
  load: (url, context, next) => {
    if (url.startsWith('file:')) files.push(url.slice(url.lastIndexOf('/') + 1));
    return next(url, context);
  },
});
let formats = 0;
Intl.DurationFormat = class extends Intl.DurationFormat {
  constructor(...given) {
    super(...given);
    formats += 1;
  }
};
const before = new Set(process.moduleLoadList);
subscribe('undici:client:sendHeaders', () => {
  if (isWritten) return;
  isWritten = true;
  const modules = process.moduleLoadList.filter((name) => !before.has(name));
  const first = { files: [...files], modules, printed, formats };
  process.on('exit', () => {
    const later = files.slice(first.files.length);
    writeFileSync(process.env.FIRST_REQUEST_FILE, JSON.stringify({ ...first, later }));
  });
});
