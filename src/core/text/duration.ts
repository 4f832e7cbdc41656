import { type SafeText, trusted } from './safe.ts';

const narrow = new Intl.DurationFormat('en', {
  style: 'narrow',
});
const tenths = new Intl.DurationFormat('en', {
  style: 'narrow',
  seconds: 'narrow',
  milliseconds: 'numeric',
  fractionalDigits: 1,
});

/** A span of milliseconds for a person: `0.4s`, `12.3s`, `2m 5s`, `20m`, `1h 2m 3s`. */
export function formatDuration(milliseconds: number): SafeText {
  const tenthsOfSeconds = Math.round(milliseconds / 100);
  if (tenthsOfSeconds < 600) {
    return trusted(
      tenths.format({
        seconds: Math.floor(tenthsOfSeconds / 10),
        milliseconds: (tenthsOfSeconds % 10) * 100,
      }),
    );
  }
  const seconds = Math.round(milliseconds / 1000);
  return trusted(
    narrow.format({
      hours: Math.floor(seconds / 3600),
      minutes: Math.floor(seconds / 60) % 60,
      seconds: seconds % 60,
    }),
  );
}
