/** What became of a preview's domain: ended now, ended or absent before, left alone, or nothing that is known. */
export type Removal = 'done' | 'before' | 'left' | 'unknown';
