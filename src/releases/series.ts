import { addAbortListener } from 'node:events';
import type { Comparison, Sha } from '../contract/commit.ts';
import { type GitHubAccess, type Octokit, openOctokit } from '../github/client.ts';
import { type DeploymentSeries, listAllStatuses, listMade } from '../github/deployments.ts';
import { NoAnswer } from '../github/errors.ts';
import {
  type RecordSigner,
  type ReleaseEnd,
  recordSignerOf,
} from '../github/model/record-signer.ts';
import { type KeyValues, keysOf } from '../step/access.ts';
import { type Known, type MadeRecord, oneOfEach } from './decisions.ts';

/** The signer of a repository's deployment records, the same for all steps with the same secret. */
export const recordSignerFor = (values: KeyValues, repository: string): RecordSigner =>
  recordSignerOf(keysOf(values).record, repository);

/** What a decision throws that asks for something that was not read yet. */
class Unread extends Error {
  readonly reading: Promise<unknown>;

  constructor(reading: Promise<unknown>) {
    super('a decision that was not made again');
    this.reading = reading;
  }
}

/** The list as of one time, and what is being read since. */
interface Reading {
  /** How many were before it. */
  number: number;
  listed: MadeRecord[];
  isWhole: boolean;
  /** The one before, until the list reaches back to it. */
  former: Reading | undefined;
  pages: ReturnType<typeof listMade> | undefined;
  /** What is under way: a page, or the states of a record. */
  going: Map<number | 'page', Promise<unknown>>;
}

const startAfter = (former: Reading | undefined): Reading => ({
  number: (former?.number ?? 0) + 1,
  listed: [],
  isWhole: false,
  former: former?.listed.length === 0 ? former.former : former,
  pages: undefined,
  going: new Map(),
});

/** What was read of one record. */
interface Result {
  end: ReleaseEnd | undefined;
  states: readonly string[];
  /** The number of the reading. */
  at: number;
}

/** How a decision is asked for. */
export interface Question {
  /** Ends the wait for the answer; what is read goes on, as others may wait for it, too. */
  signal: AbortSignal;
  /** True: the list is read again from its newest record on, and so are the states of records without a result. */
  fresh?: boolean | undefined;
  projectId?: string | undefined;
  now?: number;
  /** Compares two commits, which needs another permission; absent if the decision compares none. */
  compare?: (base: Sha, head: Sha) => Promise<Comparison | undefined>;
}

/** What the records of a repository are read with. */
interface SeriesContext {
  access: GitHubAccess;
  signer: RecordSigner;
  /** The mark of the run's own record; undefined if it has none. */
  own?: string | undefined;
}

/** Waits for a work that goes on when the signal aborts. */
async function waitFor(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  using _listening = addAbortListener(signal, () => reject(new NoAnswer({ cause: signal.reason })));
  await Promise.race([work, promise]);
}

/**
 * The records of one series on GitHub. Each page of its list is read once for all questions up to the next fresh one, and
 * each result once. A request has its own time limit, and no other.
 */
export class Series {
  readonly #context: SeriesContext;
  readonly #series: Partial<DeploymentSeries>;
  #connection: Promise<Octokit> | undefined;
  #reading: Reading | undefined;
  readonly #results = new Map<number, Result>();
  readonly #compared = new Map<string, Comparison | undefined>();

  /** @param series one series; all if empty */
  constructor(context: SeriesContext, series: Partial<DeploymentSeries>) {
    this.#context = context;
    this.#series = series;
  }

  /** Decides by what is known. What a decision lacks is read, and it is made again. */
  async decide<Answer>(decision: (known: Known) => Answer, question: Question): Promise<Answer> {
    const former = this.#reading;
    const reading = former === undefined || question.fresh ? startAfter(former) : former;
    this.#reading = reading;
    const known = this.#knownBy(reading, question);
    for (;;) {
      try {
        return decision(known);
      } catch (error) {
        if (!(error instanceof Unread)) throw error;
        await waitFor(error.reading, question.signal);
      }
    }
  }

  #knownBy(reading: Reading, { projectId, now = Date.now(), compare }: Question): Known {
    const { own } = this.#context;
    /** Since the question was asked. */
    const isNew = ({ at }: Result) => at >= reading.number;
    const results = (records: readonly { id: number }[], isKnown: (result: Result) => boolean) => {
      const found = records
        .map(({ id }) => this.#results.get(id))
        .filter((one) => one !== undefined);
      const unread = records.filter(({ id }) => {
        const result = this.#results.get(id);
        return result === undefined || !isKnown(result);
      });
      if (unread.length === 0) return found;
      throw new Unread(Promise.all(unread.map(({ id }) => this.#readResult(reading, id))));
    };
    const ends: Known['ends'] = (records) =>
      results(records, (one) => one.end !== undefined || isNew(one)).map(({ end }) => end);
    const more = () => new Unread(this.#once(reading, 'page', () => this.#readPage(reading)));
    return {
      own,
      projectId,
      now,
      ends,
      *records() {
        yield* reading.listed;
        if (!reading.isWhole) throw more();
      },
      *releases() {
        const others = reading.listed.flatMap(({ record }) => record ?? []);
        yield* oneOfEach(
          others.filter(({ mark }) => mark !== own),
          ends,
        );
        if (!reading.isWhole) throw more();
      },
      states: (records) => results(records, () => true).map(({ states }) => states),
      stateNow: (id) => results([{ id }], isNew)[0]?.states[0],
      compare: (base, head) => {
        const key = `${base} ${head}`;
        if (this.#compared.has(key)) return this.#compared.get(key);
        if (compare === undefined) throw new Error('a question that compares no commits');
        throw new Unread(compare(base, head).then((found) => this.#compared.set(key, found)));
      },
    };
  }

  /** Does what is under way only once. */
  #once(reading: Reading, key: number | 'page', read: () => Promise<unknown>): Promise<unknown> {
    const going = reading.going.get(key) ?? read().finally(() => reading.going.delete(key));
    reading.going.set(key, going);
    return going;
  }

  #readResult(reading: Reading, id: number): Promise<unknown> {
    return this.#once(reading, id, async () => {
      const statuses = await listAllStatuses(await this.#open(), id);
      const { record } = reading.listed.find((one) => one.id === id) ?? {};
      const ends = statuses.flatMap(({ log_url: address = '' }) =>
        record === undefined ? [] : (this.#context.signer.verifyEnd(id, record, address) ?? []),
      );
      // A good or rolled-back release stays so, whatever was reported later.
      const end = ends.find(({ kind }) => kind === 'good' || kind === 'rolled-back') ?? ends[0];
      this.#results.set(id, {
        end,
        states: statuses.map(({ state }) => state),
        at: reading.number,
      });
    });
  }

  /** Reads the next page, and adds what was listed before, if it reaches back to that. */
  async #readPage(reading: Reading): Promise<void> {
    const { signer } = this.#context;
    reading.pages ??= listMade(await this.#open(), this.#series);
    const { value, done } = await reading.pages.next().catch((error: unknown) => {
      // A generator that has failed is finished, as if the list ended there.
      Object.assign(reading, { pages: undefined, listed: [] });
      throw error;
    });
    if (done === true) {
      reading.isWhole = true;
      return;
    }
    const known = new Set(reading.listed.map(({ id }) => id));
    const page = value.filter(({ id }) => !known.has(id));
    for (const { id, at, ...shown } of page) {
      const record = signer.verify(shown);
      const { mark } = shown.payload;
      reading.listed.push({ id, mark, record: record && { id, at, ...record } });
    }
    const { former } = reading;
    if (former?.listed.some(({ id }) => page.some((one) => one.id === id)) !== true) return;
    const oldest = Math.min(...page.map(({ id }) => id));
    reading.listed.push(...former.listed.filter(({ id }) => id < oldest));
    reading.isWhole = former.isWhole;
    reading.former = undefined;
  }

  #open(): Promise<Octokit> {
    this.#connection ??= openOctokit(this.#context.access);
    return this.#connection;
  }
}
