import { data, Evaluator, Lexer, Parser } from '@actions/expressions';
import type {
  BasicExpressionToken,
  MappingToken,
  SequenceToken,
  TemplateToken,
} from '@actions/workflow-parser/templates/tokens/index';

/** A part of a workflow file as GitHub's parser reads it. */
export type Token = TemplateToken;

/** The contexts of expressions, by name: `secrets`, `vars`, `steps`, … */
export type Contexts = Readonly<Record<string, Readonly<Record<string, unknown>> | null>>;

/** What `success()`, `failure()`, `cancelled()` and `always()` tell. */
export type Status = 'success' | 'failure' | 'cancelled' | 'skipped';

/**
 * What is not known, because a part of the file is not played. It is a value in contexts, and what the expressions
 * that use it throw.
 */
export class Unknown extends Error {}

/** What expressions are evaluated in. */
export type Scope = {
  contexts: Contexts;
  /** How the job stands, or the jobs that a job needs. */
  status?: Status;
  /** True: a name that its context does not hold is an error, of which GitHub makes an empty text. */
  isStrict?: boolean;
  /** What a name is that `env` does not have, if a step that is not played may have set it. */
  unset?: Unknown | undefined;
};

/** Names that an expression takes from a context, but for those of the event, which GitHub may leave out. */
const names = /\b(secrets|vars|inputs|steps|needs|matrix)\.([\w-]+)/g;

const statusFunctions = (status: Status) =>
  Object.entries({
    always: true,
    success: status === 'success',
    failure: status === 'failure',
    cancelled: status === 'cancelled',
  }).map(([name, value]) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(value),
  }));

const hashFiles = {
  name: 'hashFiles',
  minArgs: 1,
  maxArgs: 255,
  call: (): data.ExpressionData => {
    throw new Unknown('hashFiles() is not played');
  },
};

/** The tokens of an expression. GitHub's lexer undoes only the first doubled quote of a text. */
const lex = (expression: string) =>
  new Lexer(expression)
    .lex()
    .tokens.map((token) =>
      token.lexeme.startsWith("'")
        ? { ...token, value: token.lexeme.slice(1, -1).replaceAll("''", "'") }
        : token,
    );

/**
 * Evaluates an expression by GitHub's own parser and evaluator.
 * @throws Error for a context or a function that there is not
 */
export function evaluate(
  expression: string,
  { contexts, status = 'success', isStrict = false, unset }: Scope,
): data.ExpressionData {
  for (const [whole, context = '', name = ''] of isStrict ? expression.matchAll(names) : []) {
    if (!(name in (contexts[context] ?? {}))) throw new Error(`${whole} is not given`);
  }
  const functions = [...statusFunctions(status), hashFiles];
  const tree = new Parser(lex(expression), Object.keys(contexts), functions).parse();
  const given = Object.entries(contexts).map(([key, context]) => ({
    key,
    value: key === 'env' ? new EnvData(context, unset) : dataOf(context),
  }));
  const byName = new Map(functions.map((one) => [one.name.toLowerCase(), one]));
  try {
    return new Evaluator(tree, new data.Dictionary(...given), byName).evaluate();
  } catch (error) {
    // Of an index, GitHub's evaluator makes an error of its own.
    throw error instanceof Error && error.cause instanceof Unknown ? error.cause : error;
  }
}

function dataOf(value: unknown): data.ExpressionData {
  if (value instanceof Unknown) {
    const refuse = () => {
      throw value;
    };
    return new Proxy(new data.Dictionary(), { get: refuse });
  }
  if (Array.isArray(value)) return new data.Array(...value.map(dataOf));
  if (typeof value !== 'object' || value === null)
    return JSON.parse(JSON.stringify(value ?? null), data.reviver);
  const pairs = Object.entries(value).filter(([, one]) => one !== undefined);
  return new data.Dictionary(...pairs.map(([key, one]) => ({ key, value: dataOf(one) })));
}

/** `env`, the one context in which names that differ in case are names of their own. */
class EnvData extends data.Dictionary {
  readonly #own: ReadonlyMap<string, data.ExpressionData>;
  readonly #unset: Unknown | undefined;

  constructor(env: Contexts[string] = {}, unset?: Unknown) {
    super();
    this.#own = new Map(Object.entries(env ?? {}).map(([name, value]) => [name, dataOf(value)]));
    this.#unset = unset;
  }

  override get(name: string): data.ExpressionData | undefined {
    const found = this.#own.get(name);
    if (found === undefined && this.#unset !== undefined) throw this.#unset;
    return found;
  }

  override values(): data.ExpressionData[] {
    return [...this.#own.values()];
  }

  override pairs() {
    return Array.from(this.#own, ([key, value]) => ({ key, value }));
  }
}

/** True if a condition holds. */
export const holds = (condition: string, scope: Scope): boolean =>
  valueIn(evaluate(`!!(${condition})`, scope)) === true;

const valueIn = (value: data.ExpressionData): unknown =>
  JSON.parse(JSON.stringify(value, data.replacer));

/** What a part of a workflow file says, with its expressions evaluated: as JSON has it. */
export function readValue(token: Token | undefined, scope: Scope): unknown {
  if (token === undefined) return undefined;
  if (isExpression(token)) return valueIn(evaluate(token.expression, scope));
  if (isSequence(token)) return Array.from(token, (item) => readValue(item, scope));
  if (isMapping(token)) {
    const pairs = Array.from(token, ({ key, value }) => [
      textOf(key, scope),
      readValue(value, scope),
    ]);
    return Object.fromEntries(pairs);
  }
  return 'value' in token ? token.value : null;
}

/**
 * What a part of a workflow file says, as text: `true`, `3`.
 * @throws for an expression that gives a list or an object; within a text, it is `Array` or `Object`
 */
export function textOf(token: Token, scope: Scope): string {
  if (isExpression(token)) return textIn(evaluate(token.expression, scope));
  return token.isLiteral ? asText(readValue(token, scope)) : '';
}

/** The text of a part of a file, if it is known. */
export function knownText(token: Token, scope: Scope): string | Unknown {
  try {
    return textOf(token, scope);
  } catch (error) {
    if (error instanceof Unknown) return error;
    throw error;
  }
}

function textIn(value: data.ExpressionData): string {
  if (value.kind === data.Kind.Array) throw new Error('A sequence was not expected');
  if (value.kind === data.Kind.Dictionary) throw new Error('A mapping was not expected');
  return value.coerceString();
}

/** The texts of a mapping, such as `env:` and `with:`. @throws for a list or an object among them */
export function textsOf(token: Token | undefined, scope: Scope): Record<string, string> {
  if (token === undefined) return {};
  if (isExpression(token)) {
    const value = evaluate(token.expression, scope);
    if (!(value instanceof data.Dictionary)) throw new Error('A mapping was expected');
    return Object.fromEntries(value.pairs().map(({ key, value: one }) => [key, textIn(one)]));
  }
  if (!isMapping(token)) return {};
  return Object.fromEntries(
    Array.from(token, ({ key, value }) => [textOf(key, scope), textOf(value, scope)]),
  );
}

const asText = (value: unknown): string => (value === null ? '' : String(value));

/** The kinds of tokens that matter here, as the parser numbers them. */
const kinds = { sequence: 1, mapping: 2, expression: 3, insertion: 4 } as const;

const isMapping = (token: Token): token is MappingToken =>
  token.templateTokenType === kinds.mapping;
const isSequence = (token: Token): token is SequenceToken =>
  token.templateTokenType === kinds.sequence;

/** Whether a part of a file is one expression. @throws for `${{ insert }}`, which is not played */
export function isExpression(token: Token): token is BasicExpressionToken {
  if (token.templateTokenType === kinds.insertion)
    throw new Unknown('an insert expression is not played');
  return token.templateTokenType === kinds.expression;
}

/** What a mapping has under a key; undefined if it is no mapping, or has none such. */
export const find = (token: Token | undefined, key: string): Token | undefined =>
  token !== undefined && isMapping(token) ? token.find(key) : undefined;

/** An item of a list. */
export const itemAt = (token: Token | undefined, index: number): Token | undefined =>
  token !== undefined && isSequence(token) ? token.get(index) : undefined;

/** Every text and expression of a part of a file. */
export function* scalarsIn(token: Token): Generator<string> {
  if (isSequence(token)) for (const item of token) yield* scalarsIn(item);
  else if (isMapping(token)) for (const { value } of token) yield* scalarsIn(value);
  else if (isExpression(token)) yield token.expression;
  else yield String(token);
}

/** The keys of a mapping, each with what it has. */
export const pairsOf = (token: Token | undefined): (readonly [string, Token])[] =>
  token !== undefined && isMapping(token)
    ? Array.from(token, ({ key, value }) => [String(key), value] as const)
    : [];
