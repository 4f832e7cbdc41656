import { data, Evaluator, Lexer, Parser } from '@actions/expressions';

/** The contexts of a workflow's expressions, by name: `secrets`, `vars`, `steps`, … */
export type Contexts = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const always = {
  name: 'always',
  minArgs: 0,
  maxArgs: 0,
  call: () => new data.BooleanData(true),
};

/** Names that an expression takes from a context, but for those of the event, which GitHub may leave out. */
const names = /\b(secrets|vars|inputs|steps|needs|matrix)\.([\w-]+)/g;

/**
 * Evaluates an expression as GitHub does, by GitHub's own parser and evaluator.
 *
 * @throws Error for a context or function that a played workflow does not have, and for a name that none of its
 * contexts holds, of which GitHub would make an empty text
 */
export function evaluate(expression: string, contexts: Contexts): data.ExpressionData {
  for (const [whole, context = '', name = ''] of expression.matchAll(names)) {
    if (!(name in (contexts[context] ?? {}))) throw new Error(`${whole} is not given`);
  }
  const { tokens } = new Lexer(expression).lex();
  const tree = new Parser(tokens, Object.keys(contexts), [always]).parse();
  const given: data.ExpressionData = JSON.parse(JSON.stringify(contexts), data.reviver);
  if (!(given instanceof data.Dictionary)) throw new Error('contexts are no dictionary');
  return new Evaluator(tree, given, new Map([['always', always]])).evaluate();
}

/** A text with its `${{ … }}` filled in. */
export const fill = (text: string, contexts: Contexts): string =>
  text.replace(/\$\{\{([\s\S]*?)\}\}/g, (_, found: string) =>
    evaluate(found, contexts).coerceString(),
  );

/** Texts with their `${{ … }}` filled in. */
export const fillAll = (
  texts: Readonly<Record<string, string>> = {},
  contexts: Contexts,
): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fill(text, contexts)]));

/** The expression of a text that is one, without its `${{ }}`. */
const inner = (text: string): string => text.replace(/^\s*\$\{\{([\s\S]*)\}\}\s*$/, '$1');

/** What a text that is one expression gives, as JSON has it. */
export const evaluateJson = (text: string, contexts: Contexts): unknown =>
  JSON.parse(JSON.stringify(evaluate(inner(text), contexts), data.replacer));

/** True if an `if:` holds, with or without `${{ }}` around it. */
export const holds = (condition: string, contexts: Contexts): boolean =>
  evaluateJson(`!!(${inner(condition)})`, contexts) === true;
