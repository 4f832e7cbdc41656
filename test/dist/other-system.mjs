// Loaded into a step's process ahead of its script: functions of files fail there as those of another system do.
// OTHER_SYSTEM names them: how each fails, and how many times, or only in the place of which code.
import fs from 'node:fs';

const faults = JSON.parse(process.env.OTHER_SYSTEM);

for (const [name, { code, times = Infinity, insteadOf }] of Object.entries(faults)) {
  const real = fs.promises[name];
  let failed = 0;
  const fail = (path) => {
    failed += 1;
    return Object.assign(new Error(`${code}: ${name} '${path}'`), { code, syscall: name });
  };
  fs.promises[name] = async (path, ...rest) => {
    if (insteadOf === undefined && failed < times) throw fail(path);
    try {
      return await real(path, ...rest);
    } catch (error) {
      throw error.code === insteadOf ? fail(path) : error;
    }
  };
}
