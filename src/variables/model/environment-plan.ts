import { type SafeText, safe, shorten, trusted } from '../../kernel/text/safe.ts';
import { countOf } from '../../report/count-of.ts';
import { code } from '../../report/markdown.ts';
import { inColumns, type PlanGroup, type PlanLine, type Sign } from '../../report/plan.ts';
import {
  countElsewhere,
  type EnvironmentResult,
  type VariableOutcome,
  type VariableResult,
} from './environment-result.ts';

const signs: Readonly<Partial<Record<VariableOutcome, Sign>>> = {
  created: '+',
  replaced: '~',
  retargeted: '~',
  deleted: '-',
};

/** What a sign does not say. */
const words: Readonly<Partial<Record<VariableOutcome, SafeText>>> = {
  replaced: safe`write the declared value`,
  retargeted: safe`new targets`,
  kept: safe`kept as it is`,
  conflict: safe`conflict`,
  'not-reached': safe`not written`,
};

/** The most characters of a name. */
const longestName = 200;

/** The lines of a plan that are about variables. */
export function planOfVariables(result: EnvironmentResult): PlanGroup {
  const conflicts = result.ambiguous.map(
    ({ name, reason }): VariableResult => ({
      name,
      outcome: 'conflict',
      retargeted: false,
      reason,
    }),
  );
  const missing = result.requiredMissing.map((name) => ({
    line: [shorten(name, longestName), safe`required, and missing`],
    sign: '!' as const,
    why: safe`the service requires it, and nothing shows that it has a value`,
  }));
  const changed = [...conflicts, ...result.variables]
    .filter(({ outcome }) => outcome !== 'unchanged')
    .map(({ name, outcome, retargeted, reason }) => {
      const also = retargeted && outcome === 'replaced' ? safe`, new targets` : safe``;
      const sign: Sign = signs[outcome] ?? '!';
      return {
        line: [shorten(name, longestName), safe`${words[outcome] ?? safe``}${also}`],
        sign,
        // That it is not there yet is what the sign says.
        why: sign === '+' ? undefined : reason,
      };
    });
  const all = [...missing, ...changed];
  const texts = inColumns(all.map(({ line }) => line));
  const lines = all.map(({ sign, why }, index): PlanLine => {
    const text = trusted((texts[index] ?? safe``).trimEnd());
    return { sign, text, ...(why !== undefined && { why }) };
  });
  return { title: safe`variables`, lines };
}

/** What of a plan was changed elsewhere, as a title has it: `Drift: 1 variable changed elsewhere`; undefined if nothing was. */
export function describeDrift(result: EnvironmentResult): SafeText | undefined {
  const count = countElsewhere(result);
  if (count === 0) return undefined;
  return safe`Drift: ${countOf(count, safe`variable`)} changed elsewhere`;
}

/** The names that a plan leaves in place, which nobody declared. */
export function listUndeclared(
  { undeclared, requiredMissing }: EnvironmentResult,
  most: number,
): string[] {
  const missing = new Set(requiredMissing);
  const left = undeclared.filter((name) => !missing.has(name));
  if (left.length === 0) return [];
  const names = left.slice(0, most).map((name) => code(shorten(name, longestName)));
  const more = left.length > most ? ` and ${left.length - most} more` : '';
  return [`Not declared, kept: ${names.join(', ')}${more}. To delete one, name it in env-remove.`];
}
