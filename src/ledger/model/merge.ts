import { byNameAndId } from '../../kernel/by-name.ts';
import type { DeclaredZone, Ledger } from './ledger.ts';

const isSame = <Part>(a: Part, b: Part): boolean => JSON.stringify(a) === JSON.stringify(b);

const placeOf = ({ file, domain }: DeclaredZone): string => JSON.stringify([file, domain]);

/** The same for the records that site files declared: of a file and a domain, all or none. */
function mergeZones(
  before: readonly DeclaredZone[],
  after: readonly DeclaredZone[],
  kept: readonly DeclaredZone[],
): DeclaredZone[] {
  const old = new Map(before.map((zone) => [placeOf(zone), zone]));
  const changed = after.filter((zone) => !isSame(old.get(placeOf(zone)), zone));
  const places = new Set(after.map(placeOf));
  const gone = [...old.keys()].filter((place) => !places.has(place));
  const ours = new Set([...gone, ...changed.map(placeOf)]);
  return [...kept.filter((zone) => !ours.has(placeOf(zone))), ...changed];
}

/**
 * Puts what a run learned into the ledger as it is kept by now: another run may have kept its own since this one
 * looked. Only what this run changed takes the place of what is there.
 *
 * @param before the ledger as this run found it
 * @param after the same with what it learned
 * @param kept the ledger as it is kept now
 */
export function mergeLedgers(before: Ledger, after: Ledger, kept: Ledger): Ledger {
  const old = new Map(before.entries.map((entry) => [entry.id, entry]));
  const changed = after.entries.filter((entry) => {
    const former = old.get(entry.id);
    return former === undefined || !isSame(former, entry);
  });
  const ids = new Set(after.entries.map(({ id }) => id));
  const removed = new Set(before.entries.map(({ id }) => id).filter((id) => !ids.has(id)));
  const names = new Set(changed.map(({ name }) => name));
  const others = kept.entries.filter(({ id, name }) => !removed.has(id) && !names.has(name));
  const steps = [after.versionStep, kept.versionStep].filter((step) => step !== undefined);
  const zones = mergeZones(before.zones ?? [], after.zones ?? [], kept.zones ?? []);
  return {
    entries: [...others, ...changed].sort(byNameAndId),
    ...(steps.length === 0 ? {} : { versionStep: Math.min(...steps) }),
    ...(zones.length === 0 ? {} : { zones }),
  };
}
