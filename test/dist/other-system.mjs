// Loaded into a step's process ahead of its script: functions of files fail there as those of another system do.
// OTHER_SYSTEM names them: how each fails, each time or once with each of some codes, or only in the place of which code.
import fs from 'node:fs';

const faults = JSON.parse(process.env.OTHER_SYSTEM);

for (const [name, { code, codes, insteadOf }] of Object.entries(faults)) {
  const real = fs.promises[name];
  const left = [...(codes ?? [])];
  const fail = (path, code) =>
    Object.assign(new Error(`${code}: ${name} '${path}'`), { code, syscall: name });
  fs.promises[name] = async (path, ...rest) => {
    const next = codes === undefined ? code : left.shift();
    if (insteadOf === undefined && next !== undefined) throw fail(path, next);
    try {
      return await real(path, ...rest);
    } catch (error) {
      throw error.code === insteadOf ? fail(path, code) : error;
    }
  };
}
