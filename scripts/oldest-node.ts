/** The Node that the runner starts the actions with (`using: node24`), and the oldest that they can run on. */
export const oldestNode = 24;

/**
 * The script of an entry in `dist/`: it says in one line which Node it needs, or loads the bundle. That must
 * not come before, because an older Node prints the whole line of a bundle that it cannot parse.
 *
 * @param start what is done on a Node that is new enough
 */
export function entry(start: string): string {
  const message = `This action needs Node ${oldestNode} or newer, but this is Node \${process.versions.node}. Update the runner, which includes Node.`;
  return `if (Number.parseInt(process.versions.node, 10) < ${oldestNode}) {
  console.log(\`::error title=Node is too old::${message}\`);
  process.exitCode = 1;
} else ${start}
`;
}
