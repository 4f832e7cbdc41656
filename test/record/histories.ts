import { generate, inTurn } from '../histories/generate.ts';
import { type Ended, play } from '../histories/play.ts';
import { type RecordedPlay, record } from './recorded.ts';

/** What is kept of a history by its seed. */
async function recorded(name: string, seed: number): Promise<RecordedPlay> {
  let whole: RecordedPlay | undefined;
  const keep = (ended: Ended) => {
    whole = record(name, ended);
  };
  await play(inTurn(generate(seed)), keep);
  if (whole === undefined) throw new Error('the history has no end');
  return whole;
}

/** Seeded histories, those of `test/histories/`: so many, each run of one after the other. */
export const histories = (count: number): (readonly [string, () => Promise<RecordedPlay>])[] =>
  Array.from({ length: count }, (_, index) => {
    const name = `history: ${index + 1}`;
    return [name, () => recorded(name, index + 1)] as const;
  });
