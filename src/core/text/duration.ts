import { type SafeText, trusted } from './safe.ts';

/** Made when the first is asked for: that takes longer than the rest of a start. */
const formats: { narrow?: Intl.DurationFormat; tenths?: Intl.DurationFormat } = {};

const narrow = (): Intl.DurationFormat => {
  formats.narrow ??= new Intl.DurationFormat('en', { style: 'narrow' });
  return formats.narrow;
};

const tenths = (): Intl.DurationFormat => {
  formats.tenths ??= new Intl.DurationFormat('en', {
    style: 'narrow',
    seconds: 'narrow',
    milliseconds: 'numeric',
  });
  return formats.tenths;
};

/** A span of milliseconds for a person: `0.4s`, `4s`, `12.3s`, `2m 5s`, `20m`, `1h 2m 3s`. */
export function formatDuration(milliseconds: number): SafeText {
  const tenthsOfSeconds = Math.round(milliseconds / 100);
  if (tenthsOfSeconds < 600) {
    return trusted(
      tenths().format({
        seconds: Math.floor(tenthsOfSeconds / 10),
        milliseconds: (tenthsOfSeconds % 10) * 100,
      }),
    );
  }
  const seconds = Math.round(milliseconds / 1000);
  return trusted(
    narrow().format({
      hours: Math.floor(seconds / 3600),
      minutes: Math.floor(seconds / 60) % 60,
      seconds: seconds % 60,
    }),
  );
}
