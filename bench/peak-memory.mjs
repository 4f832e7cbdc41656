// Loaded into a process ahead of its script: writes the peak of its resident memory, in bytes, to a file at its end.
import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Linux hands the peak of the process that forked on to the one that was started, so that getrusage would
 * tell the peak of whoever runs this. The high-water mark of the address space is our own.
 */
function peak() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
  const [, kibibytes] =
    /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kibibytes) * 1024;
}

process.on('exit', () => writeFileSync(process.env.PEAK_MEMORY_FILE, String(peak())));
