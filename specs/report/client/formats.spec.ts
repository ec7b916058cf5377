/** The formats of a report on a client that other programs read, or that a user passes on. */
import { readFileSync } from 'node:fs';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { describe, expect, it } from 'vitest';
import { withoutKeys } from '../../../src/report/client/keys.js';
import { renderFormat } from '../../../src/report/formats/index.js';
import { FORMATS, type Format } from '../../../src/report/formats/names.js';
import type { Report } from '../../../src/report/index.js';
import { answered, asksOn, call, CONTEXT, MIXED, reportOf, result, written } from './sample.js';

const render = (format: Format, run = MIXED): string => renderFormat(format, written(run), CONTEXT).content;

describe('JSON', () => {
  const json = JSON.parse(render('json')) as Report;

  it('has each rule once, without its code, and verdicts by its id', () => {
    expect(json.requirements.map(({ id }) => id)).toEqual([
      'client/key-in-header',
      'client/stops-at-failed',
      'client/poll-pause',
      'client/reads-all-chunks',
      'client/ending',
    ]);
    expect(Object.keys(json.requirements[0]!.rule!)).toEqual(['source', 'decidedBy', 'weather']);
    const failed = json.conditions?.find(({ weather }) => weather.id === 'job-fails');
    expect(failed?.verdicts['client/stops-at-failed']).toBe('violated');
    expect(failed?.violations['client/stops-at-failed']?.[0]?.calls).toHaveLength(18);
    expect([json.subject, json.exitCode, json.verdict.slice(0, 6)]).toEqual(['client', 1, 'FAILED']);
  });

  it('counts conditions as scenarios: where a rule was decided, and where it failed', () => {
    const [key, stops] = json.requirements;
    expect([key?.verdict, key?.decided, key?.failed, key?.decidedIn]).toEqual([
      'fail',
      5,
      1,
      ['clear', 'worker-crashes', 'job-fails'],
    ]);
    expect(stops?.failures.map(({ scenario }) => scenario)).toEqual(['job-fails', 'worker-crashes']);
    expect(json.totals).toMatchObject({ scripts: 6, calls: 33, webhooks: 1 });
  });

  it('has bodies of up to 2,000 characters, and of longer ones how long they are and what they told', () => {
    const long = { status: 'COMPLETED', output: 'x'.repeat(5_000) };
    const calls = [call(1, 0), call(2, 10, { reply: answered(200, long) })];
    const made = written(reportOf([result('clear', { calls })])).conditions?.[0];
    expect(made?.calls.map(({ reply }) => reply)).toMatchObject([
      { value: { id: 'abc', status: 'FAILED' } },
      { characters: JSON.stringify(long).length },
    ]);
    expect(made?.calls[1]?.reply).not.toHaveProperty('value');
    expect(made?.calls[1]?.told).toBe('200 COMPLETED');
  });
});

describe('a key', () => {
  const KEY = `rp_${'0123456789ab'.repeat(2)}`;

  it.each(FORMATS)('stands nowhere in a report that was cleaned: %s', (format) => {
    const calls = [
      call(1, 0, {
        ...{ path: `/v2/client/status/${KEY}`, query: { key: KEY } },
        ...{
          key: { header: 'missing', elsewhere: 'the query' },
          body: { bytes: 9, isJson: true, value: [KEY] },
        },
      }),
    ];
    const violated = { key: { calls: [1], text: `it sent ${KEY}` } };
    const output = { stdout: `key: ${KEY}`, stderr: KEY, leftOutBytes: 0 };
    const run = withoutKeys(reportOf([result('clear', { calls, states: violated, more: { output } })]));
    expect(render(format, run)).not.toContain(KEY.slice(3));
    if (format === 'json') expect(render(format, run)).toContain('key: [redacted]');
    expect(run.results[0]?.verdicts[0]?.rule.occasions).toBeTypeOf('function');
  });
});

describe('JUnit', () => {
  it('has a case for each rule, the gravest first, and an error where Runproof itself was wrong', () => {
    const schema = XmlDocument.fromBuffer(readFileSync('specs/report/schemas/junit.xsd'));
    const validator = XsdValidator.fromDoc(schema);
    const document = XmlDocument.fromString(render('junit'));
    try {
      expect(() => validator.validate(document)).not.toThrow();
      const count = (path: string): number => document.find(path).length;
      expect([count('//failure'), count('//error'), count('//skipped')]).toEqual([3, 1, 1]);
      for (const [name, path] of Object.entries({ tests: 'testcase', failures: 'failure', errors: 'error' }))
        expect(document.get(`/testsuites/@${name}`)?.content, name).toBe(String(count(`//${path}`)));
      expect(document.get('//testcase/@name')?.content).toBe('client/ending');
      expect(document.get('//testcase[@name="client/ending"]/failure/@message')?.content).toBe(
        'Under 1 of 6 conditions: it ended with exit code 0, although its job did not complete (key-revoked)',
      );
    } finally {
      for (const each of [document, validator, schema]) each.dispose();
    }
  });
});

describe('other formats', () => {
  it('take a broken rule of any level for a failure', () => {
    const run = reportOf([result('clear'), asksOn('job-fails')]);
    expect(render('tap', run)).toMatch(/^not ok 1 - client\/stops-at-failed .*$/m);
    expect(render('github', run)).toMatch(
      /^::error title=client\/stops-at-failed::Under 1 of 2 conditions: .*%0AReplay: runproof client --only job-fails /m,
    );
    expect(render('ctrf', run)).toMatch(/"name": "client\/stops-at-failed",\s+"status": "failed"/);
    expect(render('sarif', run)).toMatch(/"ruleId": "client\/stops-at-failed",\s+"level": "error"/);
  });

  it('say so where Runproof itself was wrong', () => {
    const run = reportOf([result('clear', { more: { selfCheck: ['4.3/x failed'] } })]);
    expect(render('tap', run)).toMatch(/^not ok \d+ - self-check Runproof itself was wrong under clear/m);
    expect(render('github', run)).toMatch(
      /^::warning title=runproof::Runproof itself was wrong under clear/m,
    );
    expect(render('markdown', run)).toContain('> ⚠️ Runproof itself was wrong under clear');
    expect(render('ctrf', run)).toMatch(/"suite": \[\s+"self-check"/);
    expect(render('sarif', run)).toContain('"ruleId": "self-check"');
  });

  it('have every call in HAR, with its condition', () => {
    const { log } = JSON.parse(render('har')) as { log: { entries: { comment: string }[] } };
    expect(log.entries).toHaveLength(33);
    expect(log.entries.at(-1)?.comment).toBe('read-half, call #3');
  });
});

describe('markdown', () => {
  it('begins with the cause, and has the timeline of each broken rule as code', () => {
    const text = render('markdown', reportOf([result('clear'), asksOn('job-fails')]));
    const lines = text.split('\n');
    expect(lines[0]).toBe(
      '# ❌ FAILED client/stops-at-failed under 1 of 2 conditions: it asked 17 times more after it had been told FAILED, until it was stopped \\(job-fails\\)',
    );
    expect(lines).toContain('`client/stops-at-failed` · The client keeps `client/stops-at-failed`.');
    expect(text).toMatch(/^ {6}> {3}0\.200 s {2}GET \/status\/abc {2}200 FAILED/m);
    expect(text).toContain('    replay:   runproof client --only job-fails --seed 7 -- node my-client.js');
  });

  it('lets foreign text be neither markup nor the end of code', () => {
    const outside = render('markdown')
      .split('\n')
      .filter((line) => !line.startsWith('    '));
    const unmarked = outside.map((line) => line.replace(/(`+)[^`].*?[^`]\1/g, ''));
    expect(unmarked.filter((line) => /(^|[^\\])</.test(line))).toEqual([]);
    expect(outside.filter((line) => line.startsWith('```'))).toEqual([]);
  });
});

describe('the page', () => {
  const page = render('html');

  it('executes nothing but its own script, and loads nothing', () => {
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).not.toMatch(/\b(src|srcset|action|data)\s*=\s*"/);
    expect(page).not.toMatch(/<link\b|@import|url\(/);
    expect(page).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    expect(page).toContain('content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;;');
  });

  it('has no broken link, and leads from each violated cell to its violation', () => {
    const twice = renderFormat(
      'html',
      written({ ...MIXED, results: [...MIXED.results, ...MIXED.results] }),
      CONTEXT,
    );
    for (const each of [page, twice.content]) {
      const ids = [...each.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
      expect(ids.length).toBe(new Set(ids).size);
      const links = [...each.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id);
      expect(links.filter((id) => !ids.includes(id))).toEqual([]);
      expect(links).toContain('condition-job-fails-client-stops-at-failed');
    }
    expect(page.match(/<td class="cell violated"/g)).toHaveLength(4);
    expect(page).toContain(
      'Violated under <a href="#condition-worker-crashes-client-stops-at-failed">worker-crashes</a>, ',
    );
  });

  it('opens the conditions under which a rule is violated, and no others', () => {
    const states = [...page.matchAll(/<details class="script weather[^"]*" id="condition-([^"]*)"( open)?/g)];
    expect(states.filter(([, , open]) => open !== undefined).map(([, id]) => id)).toEqual([
      'worker-crashes',
      'job-fails',
      'rate-limited-for-ever',
      'key-revoked',
      'read-half',
    ]);
    expect(states).toHaveLength(MIXED.results.length);
  });

  it('marks the calls of a violation, faults of the condition, and webhooks', () => {
    expect(page).toMatch(/<tr class="call named" id="condition-job-fails-call-2">/);
    expect(page).toMatch(/<tr class="webhook">/);
    expect(page).toMatch(/<span class="badge advice">&lt;script&gt;/);
  });

  it('shows what the client wrote, line by line', () => {
    const output = { stdout: '', stderr: 'first\nsecond', leftOutBytes: 0 };
    const own = render('html', reportOf([result('clear', { more: { output } })]));
    expect(own).toContain('<div class="message">first<br />second<br /></div>');
  });

  it('has at most 200 calls of a condition, and says how many it leaves out', () => {
    const long = render('html', reportOf([asksOn('job-fails', 500)]));
    expect(long.match(/<tr class="call/g)).toHaveLength(200);
    expect(long).toMatch(/… 301 more.*the end/s);
  });
});
