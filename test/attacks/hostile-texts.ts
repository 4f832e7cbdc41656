// Reads hostile texts, and names each that was read to its end, and those that took too long. Run in a process of its
// own, which can be ended.

import { originIn } from '../../src/cli/local-git.ts';
import { readCloneUrl } from '../../src/cli/run-context.ts';
import { readSiteFile } from '../../src/declared/model/read.ts';
import { hostnameMatcher } from '../../src/deploy/previews/model/preview-hostname.ts';
import { isUnscopedIpv6, quotedStrings } from '../../src/domains/dns/content.ts';
import { asciiName } from '../../src/domains/dns/name.ts';
import { deploymentTarget, readEvent } from '../../src/follow/model/evaluate.ts';
import { createStatusReader } from '../../src/follow/model/status.ts';
import { readBounded } from '../../src/http/body.ts';
import { baseUrl } from '../../src/input-schemas.ts';
import { createRedact } from '../../src/kernel/text/redact.ts';
import { defuse, printable, unsafeText } from '../../src/kernel/text/safe.ts';
import { LineSplitter } from '../../src/messages/text.ts';
import { createGlob } from '../../src/projects/evaluate.ts';
import { plain } from '../../src/report/markdown.ts';
import { parseDotenv } from '../../src/variables/model/source.ts';

const megabyte = 1_000_000;

/** A text of so many characters that says the same again and again. */
const repeat = (piece: string, length = 2 * megabyte): string =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

/** A body that comes in pieces of one byte. */
async function* inPieces(length: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.alloc(1000, 'x');
  for (let at = 0; at < length; at += 1) yield bytes.subarray(at % 1000, (at % 1000) + 1);
}

const known = createStatusReader();
const matcher = hostnameMatcher('{branch}-x-{branch}.example.com', { owner: 'o', repo: 'r' });
const nearSecret = 'a'.repeat(5000);

/** What each reader of others' text is given. Most of these once took time that grows with the square of the text. */
export const hostileTexts: Readonly<Record<string, () => unknown>> = {
  'a control string without an end': () => printable(repeat('\u001b]')),
  'a control string that seems to go on': () => printable(repeat('\u001b]0;a')),
  'control sequences without an end': () => printable(repeat('\u001b[1;')),
  'control strings of one character': () => printable(repeat('\u009d')),
  'invisible characters': () => printable(repeat('\u200b')),
  'white space before a command': () => defuse(`\n${repeat(' ')}:`),
  'comments before a carriage return': () => parseDotenv(`A=x${repeat(' #')}\rx`),
  'settings of git of empty lines': () => originIn(`[remote "origin"]\nx${repeat('\n')}x`),
  'settings of git of spaces': () => originIn(repeat('[remote "origin"] ')),
  'an address in settings of git': () => originIn(`[remote "origin"]\nurl =${repeat(' ')}"`),
  'slashes in the address of a clone': () => readCloneUrl(`https://a.example/a${repeat('/')}a`),
  'quotes that are not closed': () => parseDotenv(repeat(`A="\\"\n`, megabyte)),
  'lines of a name and nothing else': () => parseDotenv(repeat('export ', megabyte)),
  'a hostname for two branches': () => matcher.numberOf(repeat('a-x-')),
  'a name against many stars': () => createGlob('*a'.repeat(127))(repeat('a')),
  'slashes in an address': () => baseUrl(`https://a.example/${repeat('/')}x`),
  'text that is nearly a secret': () => createRedact([`${nearSecret}b`])(repeat('a', megabyte)),
  'Markdown in Markdown': () => plain(unsafeText(repeat('>[![@#*', megabyte / 2))),
  'a line in pieces of one character': () => {
    const splitter = new LineSplitter(4000);
    for (const character of repeat('\u200b', megabyte)) splitter.split(character);
  },
  'a word without an end': () => new LineSplitter(4000).split(repeat('x')),
  'the name of a domain in another script': () => asciiName(repeat('一丁丂七丄')),
  'strings of a DNS record': () => quotedStrings(repeat('"\\"')),
  'an address of a DNS record': () => isUnscopedIpv6(repeat('a:')),
  'the kind of an event': () => readEvent(repeat('deploy'), '{}', deploymentTarget('x'), known),
  'an event as deep as it is long': () => readEvent('', repeat('['), deploymentTarget('x'), known),
  'a body in pieces of one byte': () => readBounded(inPieces(megabyte / 4), 10 * megabyte),
  'a site file of open brackets': () => readSiteFile(repeat('- [\n', 30_000)),
  'a site file of open quotes': () => readSiteFile(repeat('"', 30_000)),
  'a site file of anchors': () => readSiteFile(repeat('&a ', 30_000)),
};

/**
 * How much of the processor a text may take, in milliseconds: ten times what the slowest takes, and less than one whose
 * time grows with the square of the text.
 */
const mostMs = 5000;

if (import.meta.main) {
  for (const [name, read] of Object.entries(hostileTexts)) {
    const before = process.cpuUsage();
    await read();
    const { user, system } = process.cpuUsage(before);
    const isSlow = (user + system) / 1000 > mostMs;
    process.stdout.write(isSlow ? `${name}: too slow\n` : `${name}\n`);
  }
}
