import type { Values } from '../../inputs.ts';

/** What a turn is given beside its words, without what is not given. */
export function turnOf(values: Pick<Values<'message'>, 'model' | 'effort' | 'skill-names'>) {
  const { model, effort, 'skill-names': skillNames = [] } = values;
  return {
    ...(model === undefined ? {} : { model }),
    ...(effort === undefined ? {} : { effort }),
    ...(skillNames.length === 0 ? {} : { skillNames }),
  };
}
