import type { PossibleAnswer } from '../../deploy/assumed.ts';
import type { StepWork } from '../../deploy/work.ts';
import type { Prepared } from '../../frame/action.ts';
import type { AskedSource } from '../../kernel/event.ts';
import { joinSafe, type SafeText, type Sanitize, safe } from '../../kernel/text/safe.ts';
import { needsOf, type Said, type Statement } from '../../report/explain/explanation.ts';

/** A possible response of GitHub, and the work that follows. */
export interface Answered {
  /** The pull request that GitHub returns; `none`: no matching one. */
  when: Pick<PossibleAnswer, 'isOpen' | 'isFork'> | 'none';
  prepared: Prepared<StepWork>;
}

interface Explaining {
  explain: (prepared: Prepared<StepWork>) => Said;
  clean: Sanitize;
}

/** The response that is explained in full: the first with work, else one that shows why there is none. */
export function mainOf(answers: readonly Answered[]): Prepared<StepWork> {
  const all = answers.map(({ prepared }) => prepared);
  const main =
    all.find(({ kind }) => kind === 'work') ??
    all.find(({ kind }) => kind === 'problems') ??
    all[0];
  if (main === undefined) throw new Error('no possible response');
  return main;
}

/** A response as a condition. */
function nameOf(when: Answered['when'], isForkTold: boolean): SafeText {
  if (when === 'none') return safe`If there is none`;
  const state = when.isOpen ? safe`If it is open` : safe`If it is closed`;
  if (!isForkTold || when.isFork === undefined) return state;
  return when.isFork ? safe`${state}, from a fork` : safe`${state}, not from a fork`;
}

/** What a run would do, in full. */
function describe({ would, statements }: Said): SafeText {
  const details = statements.flatMap((one) =>
    'does' in one ? [safe`${one.about}: ${one.does}`] : [],
  );
  return joinSafe([safe`The run would ${would}.`, ...details], ' ');
}

const stateOf = (when: Answered['when']): string => (when === 'none' ? when : String(when.isOpen));

/** A response and its explanation. */
type Told = Answered & { said: Said };

/** A line for each response; those with the same explanation share one. */
function rowsOf(all: readonly Told[], main: Prepared<StepWork>): Statement[] {
  const groups = Map.groupBy(all, ({ when, said }) => `${stateOf(when)} ${describe(said)}`);
  return [...groups.values()].flatMap((group): Statement[] => {
    const [first] = group;
    if (first === undefined) return [];
    const { when, said } = first;
    const isMain = said.outcome === 'planned' && group.some(({ prepared }) => prepared === main);
    const does = isMain ? safe`The run would ${said.would}, as described here.` : describe(said);
    const alike = all.filter((one) => stateOf(one.when) === stateOf(when));
    return [{ about: nameOf(when, alike.length > group.length), does }];
  });
}

/** The request to GitHub. */
function explainRequest(source: AskedSource, clean: Sanitize): Statement {
  const about = safe`GitHub`;
  const head = source.sha === undefined ? safe`` : safe`, whose head must be this commit`;
  const which =
    source.kind === 'by-number'
      ? safe`pull request #${source.number}`
      : safe`the pull request of ${clean(source.owner)}:${clean(source.branch)}`;
  return {
    about,
    does: safe`The run would read ${which} from GitHub${head}. If GitHub does not respond, the run fails.`,
    needs: [{ scope: 'pull-requests', level: 'read', why: safe`to find the pull request` }],
  };
}

/** Explains what follows from each possible response of GitHub. */
export function explainAnswers(
  source: AskedSource,
  answers: readonly Answered[],
  { explain, clean }: Explaining,
): Said {
  const main = mainOf(answers);
  const all = answers.map((one) => ({ ...one, said: explain(one.prepared) }));
  const told = explain(main);
  const request = explainRequest(source, clean);
  const begun = [request, ...rowsOf(all, main)];
  if (told.outcome !== 'planned') return { ...told, needs: [], statements: begun };
  const { when } = answers.find(({ prepared }) => prepared === main) ?? {};
  const isOpen = when !== undefined && when !== 'none' && when.isOpen;
  return {
    ...told,
    would: safe`${told.would}, if its pull request is ${isOpen ? safe`open` : safe`closed`}`,
    statements: [...begun, ...told.statements],
    needs: [...needsOf([request]), ...all.flatMap(({ said }) => said.needs)],
  };
}
