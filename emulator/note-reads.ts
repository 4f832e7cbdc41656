import type { Dialect } from './dialect.ts';

/** Notes each field that is read of an object. */
function noting<Noted extends object>(object: Noted, note: (field: string) => void): Noted {
  return new Proxy(object, {
    get: (target, field, receiver) => {
      if (typeof field === 'string') note(field);
      return Reflect.get(target, field, receiver);
    },
  });
}

/** The same dialect, which notes the fields that are read of it: `staleVersion`, and of a stream `stream.shape`. */
export function noteReads(dialect: Dialect, note: (field: string) => void): Dialect {
  return new Proxy(dialect, {
    get: (target, field, receiver) => {
      if (field === 'stream') return noting(target.stream, (name) => note(`stream.${name}`));
      if (typeof field === 'string') note(field);
      return Reflect.get(target, field, receiver);
    },
  });
}
