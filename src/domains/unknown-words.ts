import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { type CustomWords, noCustomWords } from '../follow/model/status.ts';
import type { Host } from '../frame/step.ts';
import { diagnose } from '../kernel/diagnostic.ts';
import { safe } from '../kernel/text/safe.ts';
import { unknownWords } from './evaluate.ts';
import { teachWord } from './model/connected-domain-report.ts';

/** The most warnings about unknown statuses. */
const mostWarnings = 5;

/** Warns of unknown statuses. */
export interface WordWarner {
  see(domain: ConnectedDomain): void;
  /** True if there was a warning about this status. */
  hasTold(word: string): boolean;
}

/** Warns once of each unknown status, with the inputs that define it. */
export function warnOfWords(
  { report, clean }: Pick<Host, 'report' | 'clean'>,
  customWords: CustomWords = noCustomWords,
): WordWarner {
  const warned = new Set<string>();
  return {
    see: (domain) => {
      for (const word of unknownWords(domain, customWords)) {
        if (warned.has(word) || warned.size === mostWarnings) continue;
        warned.add(word);
        const text = safe`Domain ${clean(domain.hostname)}: ${teachWord(clean(word))}`;
        report({ type: 'warning', diagnostic: diagnose('SD6111', text) });
      }
    },
    hasTold: (word) => warned.has(word),
  };
}
