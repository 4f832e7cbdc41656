import { randomUUID } from 'node:crypto';
import type { Dialect } from '../dialect.ts';
import { notFound, ServiceError } from './errors.ts';

/** A variable as the service stores it, with the value that it never returns. */
export interface StoredVariable {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly kind: 'secret' | 'plain';
  readonly preview: boolean;
  readonly production: boolean;
  readonly version: number;
  /** Whether the project cannot do without it. */
  readonly required: boolean;
  readonly purpose: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What a variable is made of when it is written. */
export type VariableFields = Pick<
  StoredVariable,
  'name' | 'value' | 'kind' | 'preview' | 'production'
>;

/** A variable as somebody sets it by hand. What is absent stays, or is a secret for both runtimes; the version moves. */
export type VariableByHand = Pick<StoredVariable, 'name' | 'value'> &
  Partial<
    Pick<StoredVariable, 'kind' | 'preview' | 'production' | 'required' | 'purpose' | 'version'>
  >;

/** One runtime: its revision, the revision that runs, the values that run, and whether they are outdated. */
interface Runtime {
  revision: number;
  appliedRevision: number;
  outdated: boolean;
  values: Readonly<Record<string, string>>;
}

const targets = ['preview', 'production'] as const;
type Target = (typeof targets)[number];

const revisionSteps = { count: 1, jump: 7, down: -1, stay: 0 } as const;

/** The variables of a project and the state of its two runtimes (section "Environment variables"). */
export class Environment {
  readonly #dialect: Dialect;
  readonly #runtimes: Record<Target, Runtime> = { preview: newRuntime(), production: newRuntime() };
  #variables: StoredVariable[] = [];

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** The variables with their values, in order of creation. */
  get variables(): readonly StoredVariable[] {
    return this.#variables;
  }

  /** The values that each runtime got with the latest publication, by name. */
  get running(): Readonly<Record<Target, Readonly<Record<string, string>>>> {
    const { preview, production } = this.#runtimes;
    return { preview: preview.values, production: production.values };
  }

  /** The runtime's state as numbers and booleans. */
  runtime(target: Target): Readonly<Omit<Runtime, 'values'>> {
    return this.#runtimes[target];
  }

  /**
   * Creates a variable, or does with a name that exists what the dialect says.
   * @throws a `ServiceError` if the name exists and the dialect refuses that
   */
  create(fields: VariableFields): StoredVariable {
    const existing = this.#variables.find(({ name }) => name === fields.name);
    const { duplicateName } = this.#dialect;
    if (!existing || duplicateName === 'allow') return this.#add(fields);
    const message = `A variable named ${fields.name} exists.`;
    throw new ServiceError(Number(duplicateName), 'name_taken', message);
  }

  /**
   * The variable that a write is for.
   * @throws a `ServiceError` if there is none, or if its version is not the expected one and the dialect minds
   */
  expect(id: string, expectedVersion: number): StoredVariable {
    const variable = this.#variables.find((candidate) => candidate.id === id.toLowerCase());
    if (!variable) throw notFound('The variable');
    const { staleVersion } = this.#dialect;
    if (variable.version === expectedVersion || staleVersion === 'ignore') return variable;
    throw new ServiceError(
      Number(staleVersion),
      'version_conflict',
      `Version conflict: the variable has version ${variable.version}, not ${expectedVersion}.`,
    );
  }

  /** Changes a variable and raises its version. */
  change(variable: StoredVariable, fields: Partial<VariableByHand>): StoredVariable {
    const changed: StoredVariable = {
      ...variable,
      version: variable.version + 1,
      ...fields,
      updatedAt: new Date(),
    };
    this.#variables = this.#variables.map((other) => (other.id === variable.id ? changed : other));
    this.#touch(variable, changed);
    return changed;
  }

  /** Removes a variable. */
  remove(variable: StoredVariable): void {
    this.#variables = this.#variables.filter(({ id }) => id !== variable.id);
    this.#touch(variable);
  }

  /** Creates a variable, or changes the one of that name, without regard to versions: somebody else at work. */
  set(fields: VariableByHand): StoredVariable {
    const existing = this.#variables.find(({ name }) => name === fields.name);
    if (existing) return this.change(existing, fields);
    return this.#add({ kind: 'secret', preview: true, production: true, ...fields });
  }

  /** Makes the runtimes that a publication reaches current. */
  publish(): void {
    const { publicationApplies } = this.#dialect;
    for (const target of targets) {
      if (publicationApplies !== 'both' && publicationApplies !== target) continue;
      const runtime = this.#runtimes[target];
      runtime.appliedRevision = runtime.revision;
      runtime.outdated = false;
      const reached = this.#variables.filter((variable) => variable[target]);
      runtime.values = Object.fromEntries(reached.map(({ name, value }) => [name, value]));
    }
  }

  #add(fields: VariableFields & VariableByHand) {
    const now = new Date();
    const variable: StoredVariable = {
      required: false,
      purpose: null,
      version: this.#dialect.firstVersion,
      ...fields,
      id: randomUUID(),
      createdAt: now,
      updatedAt: now,
    };
    this.#variables.push(variable);
    this.#touch(variable);
    return variable;
  }

  #touch(...states: readonly StoredVariable[]): void {
    for (const target of targets) {
      if (!states.some((state) => state[target])) continue;
      const runtime = this.#runtimes[target];
      runtime.revision += revisionSteps[this.#dialect.revisions];
      runtime.outdated = true;
    }
  }
}

function newRuntime(): Runtime {
  return { revision: 0, appliedRevision: 0, outdated: false, values: {} };
}
