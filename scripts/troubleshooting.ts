// The page docs/troubleshooting.md, made from the catalogue of errors and warnings.
import type { Entry, Topic } from '../src/core/catalogue/entry.ts';

const head = `# Troubleshooting

<!-- Generated from src/core/catalogue/ by npm run generate. Do not edit. -->

Each error and each warning ends with a code, such as \`(SD1001)\`, in the log, its annotation, the output \`error\`, the summary and the comment. Search this page for the code, or link to it: \`docs/troubleshooting.md#sd1001\`. A code keeps its meaning, whatever becomes of the words.

A message that tells of several problems has a code for each. One that came of another keeps the code of its root.
`;

const place = (code: string): string => `[${code}](#${code.toLowerCase()})`;

function entry([code, { title, meaning, remedy, example }]: [string, Entry]): string {
  return [
    `### ${code}`,
    `**${title}.** ${meaning}`,
    `**What to do:** ${remedy}`,
    `\`\`\`text\n${example} (${code})\n\`\`\``,
  ].join('\n\n');
}

function topic({ title, intro, entries }: Topic): string {
  const all = Object.entries(entries);
  const list = all.map(([code, { title: what }]) => `- ${place(code)} ${what}`).join('\n');
  return [`## ${title}`, intro, list, ...all.map(entry)].join('\n\n');
}

/** The whole page. */
export function renderTroubleshooting(topics: readonly Topic[]): string {
  return `${[head.trimEnd(), ...topics.map(topic)].join('\n\n')}\n`;
}
