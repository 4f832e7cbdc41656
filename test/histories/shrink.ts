import type { Act, History } from './generate.ts';

/** All objects that lack one of its fields. */
const lessOf = <Whole extends object>(whole: Whole): Whole[] =>
  Object.keys(whole).map(
    (name) =>
      Object.fromEntries(Object.entries(whole).filter(([other]) => other !== name)) as Whole,
  );

/** All histories that are a little simpler: an act less, or a choice of an act or of the dialect less. */
function simpler(history: History): History[] {
  const { acts, dialect, broken, hasLedger } = history;
  const plainer = acts.flatMap((act, index) => {
    if (act.do !== 'run' && act.do !== 'again') return [];
    const { trouble, ...calm } = act;
    const inputs = act.do === 'run' ? lessOf(act.inputs) : [];
    const less = [...(trouble ? [calm] : []), ...inputs.map((some) => ({ ...act, inputs: some }))];
    return less.map((one) => ({ ...history, acts: acts.with(index, one as Act) }));
  });
  return [
    ...acts.map((_, index) => ({ ...history, acts: acts.toSpliced(index, 1) })),
    ...lessOf(dialect).map((some) => ({ ...history, dialect: some })),
    ...(broken.length > 0 ? [{ ...history, broken: [] }] : []),
    ...(hasLedger ? [{ ...history, hasLedger: false }] : []),
    ...plainer,
  ];
}

/**
 * Makes a history shorter for as long as it still fails. One that fails by chance may stay longer than it must.
 *
 * @param tries how many histories are played at most
 */
export async function shrink(
  history: History,
  fails: (history: History) => Promise<boolean>,
  tries = 200,
): Promise<History> {
  let left = tries;
  for (const one of simpler(history)) {
    if (left === 0) return history;
    left -= 1;
    if (await fails(one)) return await shrink(one, fails, left);
  }
  return history;
}

/** The promise that a text of the judge is about. */
const promiseOf = (text: string): string => text.replace(/:.*/s, '');

/** Says what a history broke, and the shortest one found that still does, for `scripts/histories.ts --file`. */
export async function tellShortest(
  history: History,
  broken: readonly string[],
  judged: (history: History) => Promise<string[]>,
  tries?: number,
): Promise<string> {
  const promises = new Set(broken.map(promiseOf));
  const fails = async (one: History) =>
    (await judged(one)).some((text) => promises.has(promiseOf(text)));
  const shortest = await shrink(history, fails, tries);
  const how = 'The shortest history that still fails, for node scripts/histories.ts --file FILE:';
  return [...broken, how, JSON.stringify(shortest)].join('\n');
}
