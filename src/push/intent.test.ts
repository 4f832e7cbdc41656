import { describe, expect, it } from 'vitest';
import { isFirstCommit, keptBranch, otherReferences } from './intent.ts';

const head = 'a'.repeat(40);
const other = 'b'.repeat(40);
const main = 'refs/heads/main';
const kept = `refs/heads/${keptBranch(head)}`;

describe('the references of a project that contains only its template', () => {
  it.each([
    ['the branch alone', { [main]: head }, 'none'],
    ['the branch and HEAD', { HEAD: head, [main]: head }, 'none'],
    ['its commit in the branch that keeps it', { [main]: head, [kept]: head }, 'kept'],
    ['another commit in that branch', { [main]: head, [kept]: other }, 'others'],
    ['another branch', { [main]: head, 'refs/heads/work': head }, 'others'],
    ['a tag', { [main]: head, 'refs/tags/v1': head }, 'others'],
    ['another head by now', { [main]: other }, 'others'],
    ['HEAD at another commit', { HEAD: other, [main]: head }, 'others'],
    ['no branch', {}, 'others'],
  ])('are known: %s', (_, references, found) => {
    expect(otherReferences(new Map(Object.entries(references)), main, head)).toBe(found);
  });
});

describe('a first commit', () => {
  const tree = `tree ${other}\n`;
  it.each([
    ['without a parent', `${tree}author x\n\nBegin`, true],
    ['with a parent', `${tree}parent ${other}\nauthor x\n\nChange`, false],
    ['whose message speaks of one', `${tree}author x\n\nparent ${other}`, true],
    ['that could not be read', '', false],
  ])('is one %s', (_, text, isFirst) => {
    expect(isFirstCommit(text)).toBe(isFirst);
  });
});
