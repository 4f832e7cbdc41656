export const id = 48;
export const ids = [48];
export const modules = {

/***/ 3048:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  readSiteFile: () => (/* binding */ readSiteFile)
});

// EXTERNAL MODULE: ./build/core/json.js
var json = __webpack_require__(8314);
// EXTERNAL MODULE: ./node_modules/leven/index.js
var leven = __webpack_require__(7785);
;// CONCATENATED MODULE: ./build/core/site-file/suggest.js

/** Longer words are no misspellings of any word that we know. */
const longest = 40;
/**
 * The known word that somebody may have meant: one letter in three may differ, four at most.
 *
 * @returns `; did you mean "…"?`, or an empty text if no known word is near. It never holds the given word.
 */
function suggestion(given, known) {
    if (given.length > longest)
        return '';
    const maxDistance = Math.min(4, Math.ceil(given.length / 3));
    const nearest = (0,leven/* closestMatch */.h)(given.toLowerCase(), known, { maxDistance });
    return nearest === undefined ? '' : `; did you mean "${nearest}"?`;
}

;// CONCATENATED MODULE: ./build/core/site-file/describe.js

/** What a wrong thing is called: only words of the schema, never what the file says. */
function subject(path) {
    const last = path.at(-1);
    if (last === undefined)
        return 'this';
    return typeof last === 'number' ? `item ${last + 1} of ${String(path.at(-2))}` : String(last);
}
/** What each type of the schema must be, and what to do about an input that is nearly so. */
const types = {
    string: {
        must: 'must be a text',
        fix: (input) => (['number', 'boolean'].includes(typeof input) ? ': write it in quotes' : ''),
    },
    number: {
        must: 'must be a whole number',
        fix: (input) => (typeof input === 'string' && /^\d+$/.test(input) ? ', without quotes' : ''),
    },
    boolean: {
        must: 'must be true or false',
        fix: (input) => (input === 'true' || input === 'false' ? ', without quotes' : ''),
    },
    array: {
        must: 'must be a list',
        fix: () => ': [ … ], or lines that start with "-"',
    },
    record: {
        must: 'must be a mapping',
        fix: () => ' of names',
    },
};
const oneOf = (values) => values.map(String).join(' or ');
/**
 * What to say where the schema does not say it itself. No message holds a value of the file.
 *
 * @returns undefined for what only the schema can explain
 */
const describe = (issue) => {
    const what = subject(issue.path ?? []);
    switch (issue.code) {
        case 'invalid_type': {
            if (issue.input === undefined)
                return `${what} is missing`;
            const type = types[issue.expected === 'int' ? 'number' : issue.expected];
            return type === undefined ? undefined : `${what} ${type.must}${type.fix(issue.input)}`;
        }
        case 'invalid_value': {
            const near = typeof issue.input === 'string' ? suggestion(issue.input, issue.values.map(String)) : '';
            return `${what} must be ${oneOf(issue.values)}${near}`;
        }
        case 'too_small':
        case 'too_big':
            return issue.origin === 'string' || issue.origin === 'array'
                ? `${what} must not be empty`
                : `${what} is too large or too small a number`;
        default:
            return undefined;
    }
};

// EXTERNAL MODULE: ./build/core/text/clean.js
var clean = __webpack_require__(229);
// EXTERNAL MODULE: ./node_modules/zod/v4/classic/schemas.js + 11 modules
var schemas = __webpack_require__(1843);
// EXTERNAL MODULE: ./build/contract/dns-record.js
var dns_record = __webpack_require__(3060);
// EXTERNAL MODULE: ./build/contract/limits.js
var limits = __webpack_require__(3163);
;// CONCATENATED MODULE: ./build/core/site-file/mapping.js

/**
 * The schema of a mapping with these keys and no others.
 *
 * @param hint what to write where something else stands
 */
function mapping(shape, hint) {
    return schemas/* strictObject */.rej(shape, {
        error: ({ code }) => (code === 'invalid_type' ? `this must be a mapping, ${hint}` : undefined),
    });
}

;// CONCATENATED MODULE: ./build/core/site-file/domain-schema.js




const noHostname = 'this is no hostname: it takes lower-case letters, digits, "-" and at least one ".", 3 to 253 characters in all';
/** The hostname of a connected domain (section "Connected domains"). */
const hostname = schemas/* string */.YjP()
    .min(limits/* limits */.Fy.hostname.min, noHostname)
    .max(limits/* limits */.Fy.hostname.max, noHostname)
    .regex(limits/* hostnamePattern */.MM, noHostname);
const noDomain = 'this is no domain name, such as example.com';
/** The name of a registered domain: at least two labels, of the letters and digits of any script and "-" between. */
const domainName = schemas/* string */.YjP()
    .max(limits/* limits */.Fy.hostname.max, noDomain)
    .regex(/^[\p{L}\p{M}\p{N}]+(-+[\p{L}\p{M}\p{N}]+)*(\.[\p{L}\p{M}\p{N}]+(-+[\p{L}\p{M}\p{N}]+)*)+\.?$/u, noDomain);
const noProject = "project must be self, a project's id (a UUID) or null";
const project = (description) => schemas/* union */.KCZ([schemas/* literal */.euz('self'), schemas/* guid */.OsD(noProject).toLowerCase(), schemas/* null */.chJ()], noProject)
    .describe(description)
    .exactOptional();
/** A domain that the user owns and that is to be connected. */
const connectedDomain = mapping({
    project: project("The project that it is assigned to: self, a project's id, or null for none. Left out: the assignment is left alone."),
}, 'such as { project: self }').describe('A domain to connect.');
const { type, name: domain_schema_name, content, ttl, comment, priority, flags, tag, weight, port, proxied } = dns_record/* writeDnsRecord */.qz.shape.record.shape;
/** A DNS record: the fields that can be written (section "DNS record"). */
const dnsRecord = mapping({
    type: type.describe('The record type, such as A, AAAA, CNAME, MX or TXT.'),
    name: domain_schema_name.describe('The name, in quotes: "@" is the domain itself.'),
    content: content.describe('What the record says, such as an address or a hostname.'),
    ttl: ttl.describe('How long resolvers may keep it, in seconds.'),
    comment: comment.describe('A note, not part of what resolvers see.'),
    priority: priority.describe('Of MX and SRV: the lowest is tried first.'),
    flags: flags.describe('Of CAA.'),
    tag: tag.describe('Of CAA, such as issue.'),
    weight: weight.describe('Of SRV.'),
    port: port.describe('Of SRV.'),
    proxied: proxied.describe('Whether the DNS host answers for it with addresses of its own.'),
}, 'such as { type: A, name: "@", content: 203.0.113.10 }').describe('A DNS record. Records that are not declared are left in place.');
/** A domain that is registered through the service. */
const registeredDomain = mapping({
    renewal: schemas/* boolean */.zMY()
        .describe('Whether it is renewed each year. Left out: left alone.')
        .exactOptional(),
    project: project("The project that it is bound to: self, a project's id, or null for none. Left out: left alone."),
    dns: schemas/* array */.YOg(dnsRecord)
        .nullable()
        .describe('The DNS records that must be there.')
        .exactOptional(),
}, 'such as { renewal: true }').describe('A registered domain.');

// EXTERNAL MODULE: ./build/contract/environment.js
var environment = __webpack_require__(1574);
;// CONCATENATED MODULE: ./build/core/site-file/variable-schema.js




/** A text of at most `max` characters; the check is ours, so the JSON Schema must be told of it. */
const upTo = (max, schema) => schema
    .refine((text) => !(0,limits/* surelyTooLong */.dq)(text, max), `it has more than ${max} characters, the most that the service takes`)
    .meta({ maxLength: max });
/** The name of a variable (section "Limits"); white space and `=` have no place in one. */
const variableName = upTo(limits/* limits */.Fy.variableName.max, schemas/* string */.YjP()
    .regex(/^[^\s=\p{Cc}\p{Cf}]+$/u, 'this is no name of a variable: it holds white space or "="'));
const from = schemas/* string */.YjP()
    .regex(/^[A-Za-z_][\w.-]{0,127}$/, "from must be the name of a variable of the step's environment (it is not shown, in case it is a value)")
    .describe("The variable of the step's environment that holds the value, not one that begins with INPUT_, STATE_, ACTIONS_, GITHUB_ or RUNNER_. Left out: the one of the same name.");
const value = upTo(limits/* limits */.Fy.variableValue.max, schemas/* string */.YjP().regex(/^[^\0]*$/, 'value must not hold a NUL character')).describe('The value itself, in quotes. Only for kind: plain; a secret never stands in this file.');
const targets = schemas/* array */.YOg(schemas/* enum */.k5n(['preview', 'production']))
    .min(1)
    .describe('The runtimes that it applies to. Left out: what the input env-targets says.');
/** Whether checks of several keys can look at it: they run also when another key is wrong. */
const when = ({ value: given }) => typeof given === 'object' && given !== null;
/** A variable: where its value comes from, and what it is for (section "Environment variables"). */
const variable = mapping({
    from: from.exactOptional(),
    value: value.exactOptional(),
    kind: environment/* variableKind */.bC
        .describe('Whether it is a secret. Left out: what the input env-kind says.')
        .exactOptional(),
    targets: targets.exactOptional(),
}, 'such as { from: NAME }')
    .refine((given) => given.from === undefined || given.value === undefined, {
    error: 'give from or value, not both',
    path: ['value'],
    when,
})
    .refine((given) => given.value === undefined || given.kind === 'plain', {
    error: "a value may stand in this file only with kind: plain; give a secret with from: and the name of a variable of the step's environment",
    path: ['value'],
    when,
})
    .meta({
    description: "A variable. Its value comes from the step's environment, or stands here if it is plain.",
    dependencies: {
        value: {
            required: ['kind'],
            properties: { kind: { const: 'plain' } },
            not: { required: ['from'] },
        },
    },
});

;// CONCATENATED MODULE: ./build/core/site-file/schema.js




/** A mapping of names to entries. Where nothing stands, nothing is declared. */
const section = (name, entry, description) => schemas/* record */.g1P(name, entry.nullable()).nullable().describe(description).exactOptional();
/** The shape of the site file, from which its JSON Schema is made. */
const siteFileSchema = mapping({
    environment: section(variableName, variable, 'Environment variables, by name.'),
    'connected-domains': section(hostname, connectedDomain, 'Domains that you own elsewhere, by hostname.'),
    'registered-domains': section(domainName, registeredDomain, 'Domains that are registered through the service, by name.'),
}, 'with environment, connected-domains or registered-domains').meta({
    title: 'Site file',
    description: 'What a site needs beside its code: environment variables, domains and DNS records.',
});

;// CONCATENATED MODULE: ./build/core/site-file/unknown-key.js





const keysOf = (schema) => Object.keys(schema.shape);
/** The keys that each mapping may have, by the words of the schema on the way to it. */
const allowedKeys = {
    '': keysOf(siteFileSchema),
    environment: keysOf(variable),
    'connected-domains': keysOf(connectedDomain),
    'registered-domains': keysOf(registeredDomain),
    'registered-domains dns': keysOf(dnsRecord),
};
/**
 * What to say of a key that a mapping does not have. Among variables it is shown only if it is near a known
 * one: it may be a value that somebody pasted.
 *
 * @param path the way to the mapping; names and indices are every second step of it
 */
function describeUnknownKey(key, path) {
    const known = allowedKeys[path.filter((_, index) => index % 2 === 0).join(' ')] ?? [];
    const near = suggestion(key, known);
    if (near !== '')
        return `unknown key "${(0,clean/* clean */.uH)(key, 60)}"${near}`;
    const shown = path[0] === 'environment' ? '' : ` "${(0,clean/* clean */.uH)(key, 60)}"`;
    return `unknown key${shown}; allowed here: ${known.join(', ')}`;
}

;// CONCATENATED MODULE: ./build/core/site-file/check.js



/** A mistake for an issue, or one for each unknown key. */
function mistakesOf(issue, base, { positionOf, keyPlaceOf }) {
    const path = [...base, ...issue.path];
    if (issue.code !== 'unrecognized_keys') {
        const code = issue.code === 'custom' ? 'SD2009' : 'SD2004';
        return [{ ...positionOf(path), code, message: issue.message }];
    }
    return issue.keys.map((key) => ({
        ...keyPlaceOf([...path, key]),
        code: 'SD2003',
        message: describeUnknownKey(key, path),
    }));
}
/** Holds parts of a document against schemas, and gathers what is wrong. */
class Checker {
    mistakes = [];
    #document;
    constructor(document) {
        this.#document = document;
    }
    /** Checks that the file is a mapping of known sections, without looking into them. */
    checkFrame(schema) {
        const { value } = this.#document;
        const sections = (0,json/* asObject */.eB)(value);
        const frame = Object.entries(sections ?? {}).map(([name, section]) => [
            name,
            (0,json/* asObject */.eB)(section) === undefined ? section : {},
        ]);
        this.#check(schema, sections === undefined ? (value ?? {}) : Object.fromEntries(frame), []);
    }
    /**
     * The entries of a section whose names are right. They are read one at a time, because a zod record drops the
     * name `__proto__`. An entry where nothing stands is an empty one.
     */
    entriesOf(section, nameSchema, schema) {
        const entries = Object.entries((0,json/* asObject */.eB)((0,json/* asObject */.eB)(this.#document.value)?.[section]) ?? {});
        return entries.flatMap(([name, given]) => {
            const path = [section, name];
            const place = this.#document.keyPlaceOf(path);
            const wrongName = nameSchema.safeParse(name).error?.issues ?? [];
            this.mistakes.push(...wrongName.map(({ message }) => ({ ...place, code: 'SD2005', message })));
            const value = this.#check(schema, given ?? {}, path);
            return wrongName.length > 0 ? [] : [{ name, value, given, place }];
        });
    }
    #check(schema, value, path) {
        const result = schema.safeParse(value, { error: describe });
        if (result.success)
            return result.data;
        const found = result.error.issues.flatMap((issue) => mistakesOf(issue, path, this.#document));
        // One by one: there may be more of them than a call can have arguments.
        for (const mistake of found)
            this.mistakes.push(mistake);
        return undefined;
    }
}

// EXTERNAL MODULE: external "node:buffer"
var external_node_buffer_ = __webpack_require__(4573);
// EXTERNAL MODULE: ./node_modules/yaml/dist/index.js
var dist = __webpack_require__(8815);
;// CONCATENATED MODULE: ./build/core/site-file/plain.js

/** How many nodes aliases may stand for in all, so that a small file cannot mean a huge one. */
const maxAliasedNodes = 10_000;
/**
 * Turns parsed nodes into plain values, and keeps the position of each. A mapping has no prototype, so that
 * `__proto__` and `constructor` are names like others. An alias gives the very object that its anchor gave.
 *
 * Written here because the library's own conversion forgets positions, and ends at the first mistake.
 */
class PlainReader {
    /** What is wrong with keys and aliases, in no order. */
    mistakes = [];
    #positionAt;
    #positions = new WeakMap();
    #anchors = new Map();
    /** How many nodes were read, those that aliases stand for included. */
    #size = 0;
    #aliased = 0;
    /** @param positionAt gives the position of an offset in the text */
    constructor(positionAt) {
        this.#positionAt = positionAt;
    }
    /** Where a key or an item of a mapping or list that this reader gave stands. */
    entryPositionOf(container, key) {
        const isContainer = typeof container === 'object' && container !== null;
        return isContainer ? this.#positions.get(container)?.get(key) : undefined;
    }
    /**
     * The value of a node; of what is wrong (see {@link PlainReader.mistakes}), undefined.
     *
     * @param node a node, or null where nothing stands
     * @param outside the position of what holds it
     */
    read(node, outside) {
        const place = this.#positionOf(node) ?? outside;
        if ((0,dist/* isAlias */.Vj)(node))
            return this.#fromAlias(node, place);
        const before = this.#size;
        this.#size += 1;
        const value = this.#fromContent(node, place);
        const anchor = (0,dist/* isNode */.Ll)(node) ? node.anchor : undefined;
        if (anchor !== undefined)
            this.#anchors.set(anchor, { value, size: this.#size - before });
        return value;
    }
    #fromContent(node, place) {
        if ((0,dist/* isMap */.jh)(node))
            return this.#fromPairs(node.items, place);
        if ((0,dist/* isSeq */.oP)(node))
            return this.#fromItems(node.items, place);
        return (0,dist/* isScalar */.jn)(node) ? node.value : null;
    }
    #fromAlias({ source }, place) {
        const anchored = this.#anchors.get(source);
        if (anchored === undefined) {
            const message = 'a text that starts with * must stand in quotes; an alias needs an anchor (&)';
            this.mistakes.push({ ...place, code: 'SD2008', message: `${message} of its name before it` });
            return undefined;
        }
        this.#size += anchored.size;
        this.#aliased += anchored.size;
        if (this.#aliased <= maxAliasedNodes)
            return anchored.value;
        this.mistakes.push({
            ...place,
            code: 'SD2008',
            message: 'aliases (*) stand for too much: write it out',
        });
        return undefined;
    }
    #fromItems(items, outside) {
        const places = items.map((item) => this.#positionOf(item) ?? outside);
        const list = items.map((item) => this.read(item, outside));
        this.#positions.set(list, new Map(places.map((place, index) => [index, { key: place, value: place }])));
        return list;
    }
    #fromPairs(pairs, outside) {
        const mapping = Object.create(null);
        const positions = new Map();
        for (const { key, value } of pairs) {
            const name = (0,dist/* isScalar */.jn)(key) ? String(key.value) : '';
            const place = this.#positionOf(key) ?? outside;
            const content = this.read(value, place);
            const message = this.#objection(name, positions.get(name));
            if (message !== undefined) {
                this.mistakes.push({ ...place, code: 'SD2008', message });
            }
            else {
                mapping[name] = content;
                positions.set(name, { key: place, value: this.#positionOf(value) ?? place });
            }
        }
        this.#positions.set(mapping, positions);
        return mapping;
    }
    #objection(name, earlier) {
        if (name === '<<')
            return 'merge keys (<<) are not read: write out what it would bring';
        if (earlier === undefined)
            return undefined;
        return `this key stands in line ${earlier.key.line} already: keep one of them`;
    }
    #positionOf(node) {
        return (0,dist/* isNode */.Ll)(node) && node.range ? this.#positionAt(node.range[0]) : undefined;
    }
}

;// CONCATENATED MODULE: ./build/core/site-file/syntax.js
/** What to say for each error of the YAML parser. Its own messages are not used: they may quote a value. */
const messages = {
    ALIAS_PROPS: 'an alias (*) takes no anchor and no tag',
    BAD_ALIAS: 'a text that starts with * or & must stand in quotes',
    BAD_DIRECTIVE: 'this directive is unknown: leave out the line that starts with %',
    BAD_DQ_ESCAPE: 'this backslash starts no known escape: write \\\\, or use single quotes',
    BAD_INDENT: 'the indentation is wrong, or a ] or } is missing before this: what belongs together starts in the same column',
    BAD_PROP_ORDER: 'an anchor or tag must follow the "?" or ":" here',
    BAD_SCALAR_START: 'a text that starts with this character must stand in quotes',
    BLOCK_AS_IMPLICIT_KEY: 'a mapping or list cannot start here: start it on a new line, or put a text that holds ": " in quotes',
    BLOCK_IN_FLOW: 'what stands inside [ ] or { } must be written with [ ] and { } too',
    KEY_OVER_1024_CHARS: 'this key is longer than 1024 characters',
    MISSING_CHAR: 'a closing quote, ] or }, a comma, or the "-" of a list is missing',
    MULTILINE_IMPLICIT_KEY: 'a key must stand on one line with its ":"; is a ":" missing?',
    MULTIPLE_ANCHORS: 'only one anchor (&) can stand here',
    MULTIPLE_DOCS: 'the file must be one document: remove what starts here',
    MULTIPLE_TAGS: 'only one tag (!) can stand here',
    NON_STRING_KEY: 'a key must be a plain text',
    RESOURCE_EXHAUSTION: 'lists or mappings are nested too deep',
    TAB_AS_INDENT: 'a tab cannot indent: use spaces',
    TAG_RESOLVE_FAILED: 'this tag (!) is not read: leave it out',
    UNEXPECTED_TOKEN: 'this does not belong here: is a quote, a comma or a line break missing before it?',
};
/** After such an error the parser takes every word up to the end of the text for another. */
const isStray = ({ message }) => message.includes('in YAML stream');
/** Errors without those that only follow from others. */
function causes(errors) {
    const tooDeep = errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
    if (tooDeep !== undefined)
        return [tooDeep];
    const firstStray = errors.find(isStray);
    return errors.filter((error) => error === firstStray || !isStray(error));
}
/** The parser's errors as mistakes. Of the errors of one line, only the first is told. */
function syntaxMistakes(errors, lines) {
    const byLine = new Map();
    for (const { code, pos } of causes(errors).toSorted((a, b) => a.pos[0] - b.pos[0])) {
        const { line, col: column } = lines.linePos(pos[0]);
        const message = messages[code] ?? 'this is not valid YAML';
        if (!byLine.has(line))
            byLine.set(line, { line, column, code: 'SD2002', message });
    }
    return [...byLine.values()];
}

;// CONCATENATED MODULE: ./build/core/site-file/document.js




/** The largest site file that is read, in bytes. */
const maxBytes = 256 * 1024;
const start = { line: 1, column: 1 };
const refused = (mistakes) => ({
    value: null,
    mistakes,
    positionOf: () => start,
    keyPlaceOf: () => start,
});
/** Where the lines of a text start. The parser could tell, but it loses count after some errors. */
function linesOf(text) {
    const lines = new dist/* LineCounter */.HN();
    lines.addNewLine(0);
    for (const { index } of text.matchAll(/\n/g))
        lines.addNewLine(index + 1);
    return lines;
}
/** The position of the key or value at the end of a path, which is followed as far as it goes. */
function follow(reader, root, path, end) {
    let { place, value: container } = root;
    for (const [index, step] of path.entries()) {
        const spot = reader.entryPositionOf(container, step);
        if (spot === undefined)
            return place;
        place = index === path.length - 1 ? spot[end] : spot.value;
        container = Reflect.get(Object(container), step);
    }
    return place;
}
/**
 * Reads one document of YAML 1.2 (core schema). Keys are texts. Anchors and aliases are read, within bounds;
 * merge keys, other tags, and further documents are mistakes.
 *
 * @param source the text; a byte order mark is skipped
 */
function readDocument(source) {
    if (external_node_buffer_.Buffer.byteLength(source) > maxBytes) {
        return refused([{ ...start, code: 'SD2002', message: 'the file is larger than 256 KiB' }]);
    }
    const text = source.replace(/^\ufeff/, '');
    const lines = linesOf(text);
    const { contents, errors, warnings } = (0,dist/* parseDocument */.Tp)(text, {
        schema: 'core',
        merge: false,
        resolveKnownTags: false,
        stringKeys: true,
        // Checked by the reader: here it would take time that grows with the square of their number.
        uniqueKeys: false,
        prettyErrors: false,
        // Of the levels that print nothing, the one that still tells of several documents.
        logLevel: 'error',
    });
    const syntax = syntaxMistakes([...errors, ...warnings], lines);
    if (syntax.length > 0)
        return refused(syntax);
    const positionAt = (offset) => {
        const { line, col: column } = lines.linePos(offset);
        return { line, column };
    };
    const reader = new PlainReader(positionAt);
    const place = contents === null ? start : positionAt(contents.range[0]);
    const root = { value: reader.read(contents, place), place };
    return {
        value: root.value,
        mistakes: reader.mistakes,
        positionOf: (path) => follow(reader, root, path, 'value'),
        keyPlaceOf: (path) => follow(reader, root, path, 'key'),
    };
}

// EXTERNAL MODULE: ./build/core/site-file/position.js
var position = __webpack_require__(7838);
;// CONCATENATED MODULE: ./build/core/site-file/read.js







function siteVariable({ name, value, place }) {
    if (value === undefined)
        return [];
    const { targets, kind } = value;
    const common = { name, ...(targets !== undefined && { targets }), ...place };
    if (value.value !== undefined)
        return [{ ...common, value: value.value, kind: 'plain' }];
    return [{ ...common, from: value.from ?? name, ...(kind !== undefined && { kind }) }];
}
function siteConnectedDomain({ name: hostname, value, place, }) {
    return value === undefined ? [] : [{ hostname, ...value, ...place }];
}
/** A part of an entry; undefined if it is wrong or not there. */
function right(schema, part) {
    const result = schema.safeParse(part);
    return result.success ? result.data : undefined;
}
/** A registered domain, as far as it is right: a mistake in one record does not keep the others from being judged. */
function siteRegisteredDomain({ name, given, place }, positionOf) {
    const entry = (0,json/* asObject */.eB)(given) ?? {};
    const { dns } = entry;
    const renewal = right(registeredDomain.shape.renewal, entry['renewal']);
    const project = right(registeredDomain.shape.project, entry['project']);
    const records = (Array.isArray(dns) ? dns : []).flatMap((item, index) => {
        const record = right(dnsRecord, item);
        if (record === undefined)
            return [];
        const start = positionOf(['registered-domains', name, 'dns', index]);
        return [{ ...record, type: record.type.toUpperCase(), index, ...start }];
    });
    return {
        name,
        ...(renewal !== undefined && { renewal }),
        ...(project !== undefined && { project }),
        ...(dns !== undefined && { dns: records }),
        ...place,
    };
}
/**
 * Reads a site file (`.github/site.yml`). Nothing in it is optional to understand: an unknown key, a value of
 * another type or a value that could be a secret is a mistake, and all mistakes are told together. A file
 * without content declares nothing.
 *
 * @param text the file's content
 */
function readSiteFile(text) {
    const document = readDocument(text);
    const { positionOf } = document;
    const checker = new Checker(document);
    checker.checkFrame(siteFileSchema);
    const variables = checker.entriesOf('environment', variableName, variable);
    const connected = checker.entriesOf('connected-domains', hostname, connectedDomain);
    const registered = checker.entriesOf('registered-domains', domainName, registeredDomain);
    const siteFile = {
        environment: variables.flatMap(siteVariable),
        connectedDomains: connected.flatMap(siteConnectedDomain),
        registeredDomains: registered.map((entry) => siteRegisteredDomain(entry, positionOf)),
    };
    const mistakes = (0,position/* inOrder */.a)(document.mistakes, checker.mistakes);
    const reading = { siteFile, positionOf };
    return mistakes.length > 0 ? { ok: false, mistakes, ...reading } : { ok: true, ...reading };
}


/***/ })

};
