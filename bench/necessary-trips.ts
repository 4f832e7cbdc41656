/** How long the parts of a run take in the local world, in milliseconds. */
export const times = { service: 30, github: 100, cache: 100, build: 3000 } as const;

/** A round trip, or the build, that a run cannot do without. */
interface Trip {
  to: keyof typeof times;
  /** What must be over before it can begin, by name. */
  after: readonly string[];
}

/** The necessary trips of a run by their names, in an order in which they can be made. */
export type Trips = Readonly<Record<string, Trip>>;

/** The rounds after the end: a look that nothing newer is overwritten, what is written then, and a look after it. */
const lastRounds = {
  'look at the records': { to: 'github', after: ['build'] },
  'write the records': { to: 'github', after: ['look at the records'] },
  'look once more': { to: 'github', after: ['write the records'] },
} as const;

/** Ten new variables: six at once, as the service is written to, and then four. */
const tenWrites = {
  'look at the variables': { to: 'service', after: [] },
  'find the ledger': { to: 'cache', after: [] },
  'read the earlier releases': { to: 'github', after: [] },
  'write six variables': {
    to: 'service',
    after: ['look at the variables', 'find the ledger', 'read the earlier releases'],
  },
  'write four variables': { to: 'service', after: ['write six variables'] },
} as const;

/** What each case cannot do without: all else can be done beside it. */
export const necessary = {
  'a push with 10 new variables': {
    ...tenWrites,
    'make the own record': { to: 'github', after: ['read the earlier releases'] },
    'read them again': { to: 'github', after: ['write four variables', 'make the own record'] },
    'request the deployment': { to: 'service', after: ['read them again'] },
    build: { to: 'build', after: ['request the deployment'] },
    ...lastRounds,
  },
  'an unchanged push': {
    'look at the variables': { to: 'service', after: [] },
    'find the ledger': { to: 'cache', after: [] },
    'read the ledger': { to: 'cache', after: ['find the ledger'] },
    'read the earlier releases': { to: 'github', after: [] },
    'read how the last one ended': { to: 'github', after: ['read the earlier releases'] },
    'make the own record': { to: 'github', after: ['read how the last one ended'] },
    'read them again': {
      to: 'github',
      after: ['look at the variables', 'read the ledger', 'make the own record'],
    },
    'request the deployment': { to: 'service', after: ['read them again'] },
    build: { to: 'build', after: ['request the deployment'] },
    ...lastRounds,
  },
  'a pull request with preview': {
    'look at the domains': { to: 'service', after: [] },
    'see that the pull request is open': { to: 'github', after: [] },
    'connect the domain': {
      to: 'service',
      after: ['look at the domains', 'see that the pull request is open'],
    },
    'request the deployment': { to: 'service', after: ['connect the domain'] },
    build: { to: 'build', after: ['request the deployment'] },
    ...lastRounds,
  },
} as const satisfies Readonly<Record<string, Trips>>;

/** The least time that some trips take if each begins as soon as it can, in milliseconds. */
export function leastTime(trips: Trips): number {
  const ends = new Map<string, number>();
  for (const [name, { to, after }] of Object.entries(trips)) {
    const begins = after.map((earlier) => {
      const end = ends.get(earlier);
      if (end === undefined) throw new Error(`${name} comes after ${earlier}, which is no trip`);
      return end;
    });
    ends.set(name, Math.max(0, ...begins) + times[to]);
  }
  return Math.max(...ends.values());
}
