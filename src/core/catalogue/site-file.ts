import type { Topic } from './entry.ts';

/** What is wrong with a site file, by code. */
export const siteFile = {
  title: 'The site file',
  intro:
    'What stands in the file that `config` names. Each mistake has its line and column; nothing was sent yet.',
  entries: {
    SD2001: {
      title: 'The site file cannot be read',
      meaning:
        'The file does not exist, lies outside the workspace, is too large or is not UTF-8 text.',
      remedy:
        "See that `actions/checkout` ran before, and that `config` is the file's path in the repository.",
      example: 'config: .github/site.yml does not exist (was the repository checked out?).',
    },
    SD2002: {
      title: 'The site file is not YAML',
      meaning:
        'The file breaks a rule of YAML at the place that is named, or is larger than 256 KiB.',
      remedy:
        'Correct the place that is named. An editor that knows [the schema](../schema/site.schema.json) shows such mistakes while they are made.',
      example:
        'config: .github/site.yml line 2, column 1: the indentation is wrong, or a ] or } is missing before this: what belongs together starts in the same column.',
    },
    SD2003: {
      title: 'The site file has an unknown key',
      meaning:
        'The key means nothing there. Nothing is passed over in silence, because what it was meant for would not happen.',
      remedy: 'Use the key that the message offers, or take it out.',
      example:
        'config: .github/site.yml line 1, column 39: unknown key "dsn"; allowed here: renewal, project, dns.',
    },
    SD2004: {
      title: 'A value in the site file has the wrong form',
      meaning: 'The key is known, and what stands there is of another type, empty or too long.',
      remedy:
        'Write what the message says. In YAML, a number or `true` that is meant as a text stands in quotes.',
      example: 'config: .github/site.yml line 10, column 9: name is missing.',
    },
    SD2005: {
      title: 'A name in the site file is none',
      meaning: 'The name of a variable, a hostname or a domain does not have the form of one.',
      remedy: 'Correct the name at the place that is named.',
      example:
        'config: .github/site.yml line 2, column 3: this is no hostname: it takes lower-case letters, digits, "-" and at least one ".", 3 to 253 characters in all.',
    },
    SD2006: {
      title: 'project: self has no project',
      meaning: 'The site file assigns a domain to `self`, and no project is given.',
      remedy: "Give `project-id`, or write the project's id in place of `self`.",
      example:
        'config: .github/site.yml line 1, column 23: project: self needs the input project-id.',
    },
    SD2007: {
      title: 'A domain is declared twice',
      meaning:
        'Two names of the site file are the same domain in two spellings (case, punycode, a dot at the end).',
      remedy: 'Keep one of them.',
      example:
        'config: .github/site.yml line 9, column 3: example.com is given twice, in two spellings.',
    },
    SD2008: {
      title: 'A part of YAML is not read',
      meaning: 'An alias without its anchor, a merge key, or a key that stands there already.',
      remedy: 'Write out what is meant; put a text that begins with `*` or `&` in quotes.',
      example:
        'config: .github/site.yml line 4, column 5: this key stands in line 3 already: keep one of them.',
    },
    SD2009: {
      title: 'A value must not stand in the site file',
      meaning:
        'A variable has its value in the file, which is for plain values only; or it has both a value and a source.',
      remedy: 'Give a secret by `from:`, or say `kind: plain` of a value that everybody may read.',
      example:
        "config: .github/site.yml line 3, column 12: a value may stand in this file only with kind: plain; give a secret with from: and the name of a variable of the step's environment.",
    },
    SD2010: {
      title: 'A check cannot be run',
      meaning:
        'The check contradicts itself, or this run cannot ask it: an address that may not be named here, a path without a site, a placeholder without a value.',
      remedy: 'Correct it as the message says; [checks](checks.md) tells what may stand where.',
      example:
        'config: .github/site.yml line 3, column 5: a path needs an address: give verify-url, or a preview-domain that this run uses.',
    },
    SD2101: {
      title: "A DNS record's type or name is wrong",
      meaning:
        'The record is not in the domain that declares it, or its name or type is not one that DNS knows.',
      remedy: 'Correct it as the message says; `@` is the domain itself.',
      example:
        'config: .github/site.yml line 5, column 15: AX example.com: its name is not in example.com: leave the last dot off if the name is relative.',
    },
    SD2102: {
      title: "A DNS record's content is wrong",
      meaning:
        'What the record says does not fit its type: no address, no hostname, a text in broken quotes.',
      remedy: 'Correct it as the message says.',
      example:
        'config: .github/site.yml line 4, column 40: A www.example.com: has "203.0.113.256", which is no IPv4 address: write four decimal numbers from 0 to 255, without leading zeros.',
    },
    SD2103: {
      title: "A DNS record's field is wrong",
      meaning:
        "A field of the record is missing, out of its range, of another type's records, or says something else than the content.",
      remedy: 'Correct it as the message says.',
      example:
        'config: .github/site.yml line 11, column 15: MX example.com: has no priority: add it.',
    },
    SD2104: {
      title: 'DNS records do not go together',
      meaning:
        'A CNAME stands beside other records of its name or at the domain itself, or a record is declared twice.',
      remedy: 'Keep the one that is meant.',
      example:
        'config: .github/site.yml line 4, column 9: CNAME www.example.com: stands beside other records of its name ("A"); a CNAME stands alone: keep either it or them.',
    },
  },
} as const satisfies Topic<'SD2'>;
