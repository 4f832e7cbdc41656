import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { type CustomWords, noCustomWords } from '../follow/model/status.ts';
import type { Host } from '../frame/host.ts';
import { diagnose } from '../kernel/diagnostic.ts';
import { safe } from '../kernel/text/safe.ts';
import { unknownWords } from './evaluate.ts';
import { teachWord } from './model/connected-domain-report.ts';

/** How many words that no table has are warned of. */
const mostWarnings = 5;

/** Takes domains as they are seen. */
export interface WordWarner {
  see(domain: ConnectedDomain): void;
  /** True once a word was warned of. */
  hasTold(word: string): boolean;
}

/** Warns once of each word that no table has, with the line that teaches it. */
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
        const text = safe`Of the domain ${clean(domain.hostname)}: ${teachWord(clean(word))}`;
        report({ type: 'warning', diagnostic: diagnose('SD6111', text) });
      }
    },
    hasTold: (word) => warned.has(word),
  };
}
