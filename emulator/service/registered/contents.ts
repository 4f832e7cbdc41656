import { isIPv4, isIPv6 } from 'node:net';
import type { Dialect } from '../../dialect.ts';
import type { RecordFields } from './record.ts';
import { quote, quoteInStrings, textOf } from './txt.ts';

const knownTypes = new Set(['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'SRV', 'TXT']);

/** The types whose content ends with a host name. */
const typesWithTarget = new Set(['CNAME', 'MX', 'NS', 'SRV']);

/** The types whose content ends with parameters, such as `alpn=h3`. */
const typesWithParameters = new Set(['HTTPS', 'SVCB']);

/** What is wrong with a record's type or content, or null. */
export function contentProblem({ type, content }: RecordFields, dialect: Dialect): string | null {
  if (dialect.recordTypes === 'known' && !knownTypes.has(type)) {
    return `records of type ${type} are not supported`;
  }
  if (type === 'A' && !isIPv4(content)) return `${content} is not an IPv4 address`;
  if (type === 'AAAA' && !isAddress(content)) return `${content} is not an IPv6 address`;
  return content === '' && type !== 'TXT' ? 'the content is empty' : null;
}

/** Equal for contents that mean the same, whatever their spelling. */
export function meaningOf({ type, content }: RecordFields): string {
  if (type === 'TXT') return textOf(content);
  if (type === 'AAAA' && isAddress(content)) return compressed(content);
  return typesWithTarget.has(type) ? withoutDot(content.toLowerCase()) : content;
}

/** A record's content as the dialect writes it in an answer. */
export function spellContent({ type, content }: RecordFields, dialect: Dialect): string {
  if (type === 'TXT') return texts[dialect.txtContents](content);
  if (typesWithParameters.has(type)) return parameters[dialect.parameterContents](content);
  if (type === 'AAAA' && isAddress(content)) return addresses[dialect.ipv6Contents](content);
  return typesWithTarget.has(type) ? targets[dialect.recordTargets](content) : content;
}

type Spelling = (content: string) => string;

const texts: Record<Dialect['txtContents'], Spelling> = {
  'as-given': (content) => content,
  quoted: (content) => quote(textOf(content)),
  unquoted: textOf,
  split: (content) => quoteInStrings(textOf(content)),
};

const parameters: Record<Dialect['parameterContents'], Spelling> = {
  'as-given': (content) => content,
  quoted: (content) => content.replace(/=([^"\s]+)/g, '="$1"'),
};

const addresses: Record<Dialect['ipv6Contents'], Spelling> = {
  'as-given': (content) => content,
  compressed,
  full: (content) => {
    const [head = '', tail] = compressed(content).split('::');
    const groups = (part: string | undefined) => (part ? part.split(':') : []);
    const missing = 8 - groups(head).length - groups(tail).length;
    const all = [...groups(head), ...Array<string>(missing).fill('0'), ...groups(tail)];
    return all.map((group) => group.padStart(4, '0')).join(':');
  },
};

const targets: Record<Dialect['recordTargets'], Spelling> = {
  'as-given': (content) => content,
  'lower-case': (content) => content.toLowerCase(),
  'with-dot': (content) => `${withoutDot(content.toLowerCase())}.`,
  'without-dot': (content) => withoutDot(content.toLowerCase()),
};

/** True for an IPv6 address without a zone, which has no place in DNS. */
function isAddress(content: string): boolean {
  return isIPv6(content) && !content.includes('%');
}

/** The one short spelling of an IPv6 address, which Node's URL parser has. */
function compressed(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

function withoutDot(name: string): string {
  return name.replace(/\.$/, '');
}
