import type { PossibleAnswer } from '../../deploy/assumed.ts';
import type { StepWork } from '../../deploy/work.ts';
import type { Prepared } from '../../frame/action.ts';
import type { AskedSource } from '../../kernel/event/pull-request-source.ts';
import { joinSafe, type SafeText, safe } from '../../kernel/text/safe.ts';
import type { Sanitize } from '../../kernel/text/sanitize.ts';
import { needsOf, type Said, type Statement } from '../../report/explain/explanation.ts';

/** One of GitHub's answers, and what a run does then. */
export interface Answered {
  /** Which pull request GitHub answers; `none`: none is the one that is meant. */
  when: Pick<PossibleAnswer, 'isOpen' | 'isFork'> | 'none';
  prepared: Prepared<StepWork>;
}

/** How what was prepared is explained. */
interface Explaining {
  explain: (prepared: Prepared<StepWork>) => Said;
  clean: Sanitize;
}

/** What an explanation of several answers tells at length: the first that is acted on, else why none is. */
export function mainOf(answers: readonly Answered[]): Prepared<StepWork> {
  const all = answers.map(({ prepared }) => prepared);
  const main =
    all.find(({ kind }) => kind === 'work') ??
    all.find(({ kind }) => kind === 'problems') ??
    all[0];
  if (main === undefined) throw new Error('a question without an answer');
  return main;
}

/** An answer in words. */
function nameOf(when: Answered['when'], isForkTold: boolean): SafeText {
  if (when === 'none') return safe`If there is none`;
  const state = when.isOpen ? safe`If it is open` : safe`If it is closed`;
  if (!isForkTold || when.isFork === undefined) return state;
  return when.isFork ? safe`${state}, of a fork` : safe`${state}, not of a fork`;
}

/** What a run does then, at length. */
function describe({ would, statements }: Said): SafeText {
  const details = statements.flatMap((one) =>
    'does' in one ? [safe`${one.about}: ${one.does}`] : [],
  );
  return joinSafe([safe`The run would ${would}.`, ...details], ' ');
}

const stateOf = (when: Answered['when']): string => (when === 'none' ? when : String(when.isOpen));

/** An answer of GitHub's, and what is said of it. */
type Told = Answered & { said: Said };

/** A line for each answer; one for those of which the same is said. */
function rowsOf(all: readonly Told[], main: Prepared<StepWork>): Statement[] {
  const groups = Map.groupBy(all, ({ when, said }) => `${stateOf(when)} ${describe(said)}`);
  return [...groups.values()].flatMap((group): Statement[] => {
    const [first] = group;
    if (first === undefined) return [];
    const { when, said } = first;
    const isMain = said.outcome === 'planned' && group.some(({ prepared }) => prepared === main);
    const does = isMain ? safe`The run would ${said.would}, as is told here.` : describe(said);
    const alike = all.filter((one) => stateOf(one.when) === stateOf(when));
    return [{ about: nameOf(when, alike.length > group.length), does }];
  });
}

/** What GitHub would be asked. */
function question(source: AskedSource, clean: Sanitize): Statement {
  const about = safe`GitHub`;
  const head = source.sha === undefined ? safe`` : safe`, which must have this commit at its head`;
  const which =
    source.kind === 'by-number'
      ? safe`pull request #${source.number}`
      : safe`the pull request of ${clean(source.owner)}:${clean(source.branch)}`;
  return {
    about,
    does: safe`GitHub would be asked for ${which}${head}. If it does not answer, the run fails.`,
    needs: [{ scope: 'pull-requests', level: 'read', why: safe`to find the pull request` }],
  };
}

/** Explains what follows from each answer of GitHub's: a run takes one of them. */
export function explainAnswers(
  source: AskedSource,
  answers: readonly Answered[],
  { explain, clean }: Explaining,
): Said {
  const main = mainOf(answers);
  const all = answers.map((one) => ({ ...one, said: explain(one.prepared) }));
  const told = explain(main);
  const asked = question(source, clean);
  const begun = [asked, ...rowsOf(all, main)];
  if (told.outcome !== 'planned') return { ...told, needs: [], statements: begun };
  const { when } = answers.find(({ prepared }) => prepared === main) ?? {};
  const isOpen = when !== undefined && when !== 'none' && when.isOpen;
  return {
    ...told,
    would: safe`${told.would}, if its pull request is ${isOpen ? safe`open` : safe`closed`}`,
    statements: [...begun, ...told.statements],
    needs: [...needsOf([asked]), ...all.flatMap(({ said }) => said.needs)],
  };
}
