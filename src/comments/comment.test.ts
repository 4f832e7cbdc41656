import fc from 'fast-check';
import { marked } from 'marked';
import { describe, expect, it, test } from 'vitest';
import {
  deployReport,
  environmentResult,
  subject,
  variableResult,
} from '../../test/support/report/builders.ts';
import { decode } from '../../test/support/report/decode.ts';
import { type Sha, sha } from '../contract/commit.ts';
import type { DeployReport } from '../deploy/model/report.ts';
import { renderDeploying, renderOutcome } from '../deploy/render.ts';
import { diagnose } from '../kernel/diagnostic.ts';
import { unsafeText } from '../kernel/text/safe.ts';
import { deriveLedgerKeys } from '../ledger/model/keys.ts';
import { readWritten, writeLiveLine } from './model/assemble.ts';
import {
  isNewer,
  type LivePreview,
  type Marker,
  markerSigner,
  readMarker,
  writeMarker,
} from './model/marker.ts';

const marker: Marker = { key: 'project', runId: '100', runAttempt: '1' };
const context = { marker, runUrl: 'https://github.com/o/r/actions/runs/100/attempts/1' };

describe('the marker', () => {
  test('of any key is read back, and is no other key', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (key, other) => {
        const line = writeMarker({ ...marker, key });
        expect(line).toMatch(/^<!-- [^<>]* -->$/);
        expect(readMarker(`${line}\n\nwords`, key)).toEqual({ ...marker, key });
        if (key !== other) expect(readMarker(line, other)).toBeUndefined();
      }),
    );
  });

  test.each([199, 201, 5000])('of a key of %s characters is short and read back', (length) => {
    const key = 'k'.repeat(length);
    const line = writeMarker({ ...marker, key });
    expect(line.length).toBeLessThan(300);
    expect(readMarker(line, key)).toEqual({ ...marker, key });
    expect(readMarker(line, `${key}k`)).toBeUndefined();
  });

  test.each([
    ['after a line', (line: string) => `words\n${line}`],
    ['after a space', (line: string) => ` ${line}`],
    ['before words in its line', (line: string) => `${line} words`],
  ])('is none %s', (_, quote) => {
    expect(readMarker(quote(writeMarker(marker)), marker.key)).toBeUndefined();
  });

  const keyOf = (secret: string) => deriveLedgerKeys(secret).marker;
  const signer = markerSigner(keyOf('a'), 'o/r', 7);

  test('that was signed is known again after it was written', () => {
    const signed = signer.sign(marker, undefined);
    expect(readMarker(writeMarker(signed), marker.key)).toEqual(signed);
    expect(signer.isSigned(signed, undefined)).toBe(true);
    expect(signer.isSigned(marker, undefined)).toBe(false);
  });

  it.each<[string, Partial<Marker>]>([
    ['run', { runId: '101' }],
    ['attempt', { runAttempt: '2' }],
    ['key', { key: 'another' }],
    ['mark', { mark: '0'.repeat(32) }],
  ])('with another %s is not signed', (_, fields) => {
    expect(signer.isSigned({ ...signer.sign(marker, undefined), ...fields }, undefined)).toBe(
      false,
    );
  });

  it.each([
    ['pull request', markerSigner(keyOf('a'), 'o/r', 8)],
    ['repository', markerSigner(keyOf('a'), 'o/s', 7)],
    ['secret', markerSigner(keyOf('b'), 'o/r', 7)],
  ])('signed for another %s is not signed', (_, other) => {
    expect(signer.isSigned(other.sign(marker, undefined), undefined)).toBe(false);
  });

  const live = {
    url: unsafeText('https://pr-7.p.example.com'),
    commit: sha('a'.repeat(40)),
  };
  const written = (line: LivePreview | undefined, signed: LivePreview | undefined) =>
    [
      writeMarker(signer.sign(marker, signed)),
      ...(line === undefined ? [] : [writeLiveLine(line)]),
      '',
      'words',
    ].join('\n');

  it.each([
    ['with a live preview', live],
    ['without one', undefined],
  ])('is read as it was signed %s', (_, line) => {
    const read = readWritten(written(line, line), marker.key, signer);
    expect(read).toEqual({ marker: signer.sign(marker, line), live: line });
  });

  it.each<[string, LivePreview | undefined]>([
    ['another address', { ...live, url: unsafeText('https://evil.example.com') }],
    ['another commit', { ...live, commit: sha('b'.repeat(40)) }],
    ['none', undefined],
  ])('is not believed with %s as what is live', (_, line) => {
    expect(readWritten(written(line, live), marker.key, signer)).toBeUndefined();
    expect(readWritten(written(live, line), marker.key, signer)).toBeUndefined();
  });

  it.each([
    ['a later run', { runId: '101' }, true],
    ['an earlier run', { runId: '99' }, false],
    ['a run with more digits', { runId: '1000' }, true],
    ['a later attempt', { runAttempt: '2' }, true],
    ['the same attempt', {}, false],
    ['a run whose id is no number', { runId: 'abc-1' }, false],
    ['a later attempt of an earlier run', { runId: '99', runAttempt: '9' }, false],
  ])('of %s', (_, fields, newer) => {
    expect(isNewer({ ...marker, ...fields }, marker)).toBe(newer);
  });
});

describe('the comment', () => {
  const hostname = unsafeText('pr-7.p.example.com');
  const domain = {
    hostname,
    verification: 'good',
    state: unsafeText('active'),
    statuses: unsafeText('state active'),
    records: [],
    errors: [],
  } as const;
  const preview = { hostname, domain, isLive: true } as const;
  const render = (fields: Partial<DeployReport>, previous?: LivePreview) =>
    renderOutcome(deployReport(fields), context, previous);

  it('begins with its marker and links the run', () => {
    for (const body of [
      render({}),
      renderDeploying({ subject: subject(), commit: 'HEAD' }, context),
    ]) {
      expect(body.startsWith(writeMarker(marker))).toBe(true);
      expect(body).toContain(`(${context.runUrl})`);
    }
  });

  it.each([
    ['succeeded', true],
    ['failed', false],
    ['timed-out', false],
    ['cancelled', false],
    ['unconfirmed', false],
    ['conflict', false],
  ] as const)('on %s announces the address: %s', (outcome, announced) => {
    const body = render({ outcome, preview });
    expect(body.includes('https://pr-7.p.example.com')).toBe(announced);
  });

  /** What a reader sees, without what is hidden: paragraphs. */
  const read = (body: string) => decode(body).replaceAll('\u200d', '').split('\n\n').slice(1);
  const link = `[<code>aaaaaaa</code>](https://github.com/o/r/commit/${'a'.repeat(40)})`;
  const log = `[log of the run](${context.runUrl})`;

  it('says first what happened and where to click, then commit, time and variables', () => {
    const environment = environmentResult({
      variables: [
        variableResult('A', 'created'),
        variableResult('B', 'unchanged'),
        variableResult('C', 'replaced'),
        variableResult('D', 'created'),
      ],
    });
    const [title, address, facts, variables, details] = read(render({ preview, environment }));
    expect(title).toBe('### ✅ Preview of #7 is live');
    expect(address).toBe('### [pr-7.p.example.com](https://pr-7.p.example.com)');
    expect(facts).toBe(`Commit ${link} · took 12.3s · ${log}`);
    expect(variables).toBe(
      'Variables created: <code>A</code>, <code>D</code> · replaced: <code>C</code>',
    );
    expect(details).toBe('<details><summary>Details</summary>');
  });

  it('says for which runtimes variables were written', () => {
    const production = { targets: { preview: false, production: true } };
    const both = { targets: { preview: true, production: true } };
    const variables = [
      variableResult('A', 'created', production),
      variableResult('B', 'created', both),
      variableResult('C', 'created', production),
      variableResult('D', 'kept'),
    ];
    const [, , , told] = read(render({ preview, environment: environmentResult({ variables }) }));
    expect(told).toBe(
      'Variables created for production: <code>A</code>, <code>C</code> · created: <code>B</code> · kept: <code>D</code>',
    );
  });

  it('links no run whose address is none', () => {
    for (const runUrl of ['not a url/o/r/actions/runs/1', '//o/r', '']) {
      const body = renderOutcome(deployReport({}), { ...context, runUrl });
      expect(body).toContain('log of the run');
      expect(body).not.toContain('log of the run](');
    }
  });

  it('of a failed deployment says that nobody looked at what was live before', () => {
    const report = { outcome: 'failed', release: { stage: 'failed' } } as const;
    const words = '**Live now:** unknown, the site was not checked';
    expect(render(report)).toContain(words);
    expect(
      render({ ...report, preview: { hostname: unsafeText('pr-7.p.example.com') } }),
    ).not.toContain(words);
    expect(render({ ...report, release: { stage: 'succeeded' } })).not.toContain(words);
    expect(render({ outcome: 'failed' })).not.toContain(words);
  });

  it('of an interrupted deployment says that what is live is unknown', () => {
    const release = { stage: 'under-way' } as const;
    const words = '**Live now:** unknown';
    expect(render({ outcome: 'timed-out', release })).toContain(words);
    expect(render({ outcome: 'accepted', release })).not.toContain(words);
    expect(render({ outcome: 'cancelled' })).not.toContain(words);
  });

  it('of failed checks names the live commit with them, and after a rollback also that of the run', () => {
    const what = unsafeText('GET https://a.example/');
    const [expected, actual] = [unsafeText('2xx'), unsafeText('returned 500')];
    const checks = [{ what, expected, actual, passed: false }];
    const commit = unsafeText('a'.repeat(40)) as never;
    const release = { stage: 'succeeded' } as const;
    const failed = read(render({ outcome: 'failed', commit, release, checks })).join('\n');
    expect(failed).toMatch(/\*\*Live now:\*\* Commit .*aaaaaaa.* \(1 check failed\)/);
    expect(failed).not.toContain('This run:');
    const rollback = { commit: 'b'.repeat(40) as never, release, checks: [] };
    const back = read(render({ outcome: 'rolled-back', commit, release, checks, rollback })).join();
    expect(back).toMatch(/\*\*Live now:\*\* Commit [^,]*bbbbbbb[^(]*,/);
    expect(back).toMatch(/This run: Commit .*aaaaaaa/);
  });

  it('folds variables where there are many, and says how many of each kind', () => {
    const many = (count: number) => {
      const created = Array.from({ length: count }, (_, index) =>
        variableResult(`V${index}`, 'created'),
      );
      const variables = [...created, variableResult('W', 'replaced')];
      return decode(render({ environment: environmentResult({ variables }) }));
    };
    expect(many(7)).toMatch(/\n\nVariables created: .* · replaced: <code>W<\/code>\n/);
    expect(many(8)).toContain(
      '<details><summary>Variables: 8 created, 1 replaced</summary>\n\n- created: <code>V0</code>',
    );
    expect(many(31)).toContain('<code>V29</code> and 1 more\n- replaced: <code>W</code>');
  });

  it('of a failure says first what went wrong, then the end of the log, and what is still live', () => {
    const body = render(
      {
        outcome: 'failed',
        release: {
          stage: 'failed',
          lastStep: unsafeText('building'),
          log: [unsafeText('Building'), unsafeText('  error: no page')],
        },
        error: diagnose('SD9003', unsafeText('No page is named "about".')),
      },
      {
        url: unsafeText('https://pr-7.p.example.com'),
        commit: sha('b'.repeat(40)),
      },
    );
    expect(read(body).slice(0, 7)).toEqual([
      '### ❌ Preview of #7 was not deployed: the build failed',
      '> No page is named "about". (SD9003)',
      "<details><summary>The last 2 lines of the build's log</summary>",
      '```text\nBuilding\n  error: no page\n```',
      '</details>',
      'Still live, from commit <code>bbbbbbb</code>: **[pr-7.p.example.com](https://pr-7.p.example.com)**',
      `Commit ${link} · took 12.3s · ${log}`,
    ]);
  });

  it('while it deploys says so, and links what is live meanwhile', () => {
    const live = {
      url: unsafeText('https://a.example'),
      commit: sha('b'.repeat(40)),
    };
    const body = renderDeploying({ subject: subject(), commit: 'HEAD' }, { ...context, live });
    expect(read(body)).toEqual([
      '### 🚀 Preview of #7: deploying …',
      'Still live, from commit <code>bbbbbbb</code>: **[a.example](https://a.example)**',
      `HEAD of the project's repository · [watch the run](${context.runUrl})`,
    ]);
  });

  it('of one of several projects is told from the others by its title', () => {
    const [title] = read(render({ subject: subject({ mark: unsafeText('11111111') }) }));
    expect(title).toBe('### ✅ Preview of #7 is deployed <sub>project\u00a011111111</sub>');
  });

  const record = {
    type: unsafeText('CNAME'),
    name: unsafeText('pr-7.p.example.com'),
    value: unsafeText('edge.example.net'),
    purpose: unsafeText('routing'),
    required: true,
  };
  const waits = { ...domain, verification: 'pending', records: [record] } as const;
  const waiting = { hostname, domain: waits };

  it('has the DNS records to create as blocks that can be copied whole', () => {
    expect(read(render({ preview: waiting })).slice(0, 6)).toEqual([
      '### ⏳ Preview of #7 is deployed, but its domain is not verified yet',
      '<code>pr-7.p.example.com</code> is not verified yet. Create these DNS records, wait until they are visible, then rerun the job:',
      '<code>CNAME</code> record for routing. Name:',
      '```text\npr-7.p.example.com\n```',
      'Value:',
      '```text\nedge.example.net\n```',
    ]);
  });

  it('names the word that no table has, and the line that teaches it', () => {
    const unclear = { ...waits, verification: 'unclear', unknown: [unsafeText('zorp')] } as const;
    expect(read(render({ preview: { hostname, domain: unclear } })).slice(0, 2)).toEqual([
      '### ⚠️ Preview of #7 is deployed, but whether its domain is verified is unclear',
      '<code>pr-7.p.example.com</code> is not known to be verified: unknown status "zorp". If it is final, add success=zorp or failure=zorp to the input service.',
    ]);
    const { unknown, ...silent } = unclear;
    expect(read(render({ preview: { hostname, domain: silent } }))[1]).toContain(
      'is not known to be verified: no status reported',
    );
  });

  it('folds the records that are optional', () => {
    const records = [record, { ...record, required: false }, { ...record, required: false }];
    expect(read(render({ preview: { hostname, domain: { ...waits, records } } }))).toContain(
      '<details><summary>2 optional records</summary>',
    );
  });

  it.each<[string, Partial<DeployReport>]>([
    ['the domain is verified', { preview }],
    [
      'the deployment failed',
      { outcome: 'failed', release: { stage: 'failed' }, preview: waiting },
    ],
    ['the run was cut off', { outcome: 'cancelled', preview: waiting }],
  ])('tells nothing of DNS where %s', (_, fields) => {
    expect(render(fields)).not.toContain('DNS');
  });

  const hostile = unsafeText(
    'x | y\n<b>@octocat</b> `code` ```` [a](http://evil.example) #12 <!-- --> </details>',
  );
  const hostileReports: readonly Partial<DeployReport>[] = [
    {
      outcome: 'failed',
      release: {
        stage: 'failed',
        uncertainty: hostile,
        log: [hostile, unsafeText('```'), unsafeText('~~~'), unsafeText('`````')],
        deployment: { id: hostile, status: hostile },
      },
      error: diagnose('SD9003', hostile),
      subject: subject({ name: hostile, mark: hostile }),
      environment: environmentResult({ variables: [variableResult(hostile, 'failed')] }),
    },
    {
      preview: {
        hostname,
        domain: {
          ...domain,
          verification: 'bad',
          statuses: hostile,
          errors: [hostile],
          trouble: hostile,
          records: [true, false].map((required) => ({
            type: hostile,
            name: hostile,
            value: hostile,
            purpose: hostile,
            required,
          })),
        },
      },
    },
    { site: unsafeText('https://a`(b)[c]*.example') },
  ];

  /** All that GitHub would make of a text, but for the words within code. */
  const marksIn = (body: string): string[] => {
    const found: string[] = [];
    const walk = marked.lexer(body, { gfm: true });
    void marked.walkTokens(walk, (token) => {
      if (token.type === 'html') found.push(token.raw.trim());
      if (token.type === 'link' || token.type === 'image') found.push(token['href']);
      if (['codespan', 'del', 'em'].includes(token.type)) found.push(token.raw);
    });
    return found;
  };

  it.each(hostileReports.map((fields, index) => [index, fields] as const))(
    'takes nothing from outside as markup (%s)',
    (index, fields) => {
      // It is signed by our key, and its commit is one: hostile is what a lying type would let through.
      const previous = { url: unsafeText('https://a.example/)b'), commit: hostile as Sha };
      const body = render(fields, index === 0 ? previous : undefined);
      const own =
        /^(<!-- site-deploy [^>]*-->|<\/?(code|sub|details|summary)>|<details><summary>[\w':, ]+<\/summary>|https:\/\/(github\.com|a\.example|a%60%28b%29%5Bc%5D%2A\.example)[^ ]*)$/;
      const others = marksIn(body).filter((mark) => !own.test(mark));
      expect(others).toEqual([]);
      const outsideCode = body.replace(/^(`{3,})text\n.*?\n\1$/gms, '');
      expect(outsideCode).not.toMatch(/@octocat|<b>|http:\/\/evil|(?<!&)#12|`/);
      expect(outsideCode.match(/-->/g)).toHaveLength(1);
      expect(marksIn(body).at(-1)).toBe('</details>');
    },
  );

  it('never has more than 60,000 characters', () => {
    const long = unsafeText('|'.repeat(5000));
    const records = Array.from({ length: 20 }, () => ({ ...record, name: long, value: long }));
    const body = render({
      error: diagnose('SD9003', long),
      preview: { hostname, domain: { ...domain, verification: 'bad', records } },
    });
    expect(body.length).toBeLessThanOrEqual(60_000);
  });

  it('of the longest failure that there can be has all of its parts', () => {
    const long = unsafeText('@'.repeat(5000));
    const body = render({
      outcome: 'failed',
      error: diagnose('SD9003', long),
      release: { stage: 'failed', log: Array.from({ length: 20 }, () => long) },
      environment: environmentResult({
        variables: Array.from({ length: 200 }, () => variableResult('_'.repeat(128), 'failed')),
      }),
    });
    expect(body.length).toBeLessThan(60_000);
    expect(body).toContain(context.runUrl);
    expect(body).toMatch(/<\/details>$/);
  });
});
