import { z } from 'zod';
import { notFound, Refusal, type Reply } from './exchange.ts';
import { extractQuickActions } from './quick-actions.ts';

/** A note on a merge request, as GitLab shows it. */
export type Note = {
  id: number;
  body: string;
  author: { id: number; username: string; name: string; state: string };
  created_at: string;
  updated_at: string;
  /** True: GitLab wrote it, of what its author changed. */
  system: boolean;
  noteable_id: number;
  noteable_type: 'MergeRequest';
  project_id: number;
  noteable_iid: number;
  resolvable: boolean;
  confidential: boolean;
  internal: boolean;
};

/** A note that somebody wrote, or that GitLab wrote of something they did. */
export type WrittenNote = { author: string; body: string; system?: boolean };

/** Which notes a request is about: the project's id, and the merge request's number in it. */
export type Place = { project: number; iid: number };

const longest = 1_000_000;

const bodySchema = z.strictObject({ body: z.string() });
const listSchema = z.strictObject({
  sort: z.enum(['asc', 'desc']).default('desc'),
  order_by: z.enum(['created_at', 'updated_at']).default('created_at'),
  per_page: z.coerce.number().int().positive().default(20),
  page: z.coerce.number().int().positive().default(1),
});

/** A number that a name always has. */
const idOf = (username: string): number =>
  [...username].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 100_000, 7);

/** The notes on merge requests. */
export class Notes {
  /** What quick actions were carried out, with their arguments. */
  readonly quickActions: string[] = [];
  readonly #lists = new Map<string, Note[]>();
  #nextId = 300;

  /** Those on a merge request, oldest first. The list is live. */
  of({ project, iid }: Place): Note[] {
    const key = `${project}!${iid}`;
    const list = this.#lists.get(key) ?? [];
    this.#lists.set(key, list);
    return list;
  }

  /** Adds one as it is. */
  add(place: Place, { author, body, system = false }: WrittenNote): Note {
    this.#nextId += 1;
    const at = new Date().toISOString();
    const note: Note = {
      id: this.#nextId,
      body,
      author: { id: idOf(author), username: author, name: author, state: 'active' },
      created_at: at,
      updated_at: at,
      system,
      noteable_id: 70_000 + place.iid,
      noteable_type: 'MergeRequest',
      project_id: place.project,
      noteable_iid: place.iid,
      resolvable: false,
      confidential: false,
      internal: false,
    };
    this.of(place).push(note);
    return note;
  }

  /** One page, with GitLab's headers. */
  list(place: Place, query: Record<string, string>, address: string): Reply {
    const { sort, order_by: field, per_page: size, page } = listSchema.parse(query);
    const all = this.of(place).toSorted((one, other) => one[field].localeCompare(other[field]));
    if (sort === 'desc') all.reverse();
    const length = Math.min(size, 100);
    const last = Math.max(1, Math.ceil(all.length / length));
    const link = (to: number, rel: string) =>
      `<${address}?${new URLSearchParams({ ...query, page: String(to) })}>; rel="${rel}"`;
    const next = page < last ? [link(page + 1, 'next')] : [];
    return {
      status: 200,
      headers: {
        link: [...next, link(1, 'first'), link(last, 'last')].join(', '),
        'x-next-page': page < last ? String(page + 1) : '',
        'x-page': String(page),
        'x-per-page': String(length),
        'x-total': String(all.length),
        'x-total-pages': String(last),
      },
      body: all.slice((page - 1) * length, page * length),
    };
  }

  /** @throws a Refusal if there is none */
  get(place: Place, id: number): Note {
    const found = this.of(place).find((one) => one.id === id);
    if (found === undefined) throw notFound('Note');
    return found;
  }

  /** Writes one; quick actions in it are carried out. */
  create(place: Place, author: string, given: unknown): Reply {
    const { text, actions } = this.#read(given);
    if (text !== '') return { status: 201, body: this.add(place, { author, body: text }) };
    const done = actions.map((action) => `${action}: done.`);
    return { status: 202, body: { commands_changes: {}, summary: done } };
  }

  /** Changes one; the same. */
  update(place: Place, id: number, author: string, given: unknown): Reply {
    const note = this.#own(place, id, author);
    Object.assign(note, { body: this.#read(given).text, updated_at: new Date().toISOString() });
    return { status: 200, body: note };
  }

  /** Takes one away. */
  delete(place: Place, id: number, author: string): Reply {
    const list = this.of(place);
    list.splice(list.indexOf(this.#own(place, id, author)), 1);
    return { status: 204 };
  }

  #own(place: Place, id: number, author: string): Note {
    const note = this.get(place, id);
    if (note.author.username !== author) throw new Refusal(403, { message: '403 Forbidden' });
    return note;
  }

  /** @throws a Refusal if there is no text, or too much */
  #read(given: unknown) {
    const { body } = bodySchema.parse(given);
    const problem =
      body.trim() === ''
        ? "can't be blank"
        : body.length > longest && `is too long (maximum is ${longest} characters)`;
    if (problem !== false) {
      throw new Refusal(400, { message: `400 Bad request - Note {:note=>["${problem}"]}` });
    }
    const read = extractQuickActions(body);
    this.quickActions.push(...read.actions);
    return read;
  }
}
