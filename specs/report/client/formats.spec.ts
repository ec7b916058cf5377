/** The formats of a report on a client that other programs read, or that a user passes on. */
import { readFileSync } from 'node:fs';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { describe, expect, it } from 'vitest';
import { renderClientHtml } from '../../../src/report/client/html.js';
import {
  clientReportJson,
  renderClientJson,
  type ClientReportJson,
} from '../../../src/report/client/json.js';
import { renderClientJunit } from '../../../src/report/client/junit.js';
import { withoutKeys } from '../../../src/report/client/keys.js';
import { renderClientMarkdown } from '../../../src/report/client/markdown.js';
import { answered, asksOn, call, CONTEXT, MIXED, reportOf, result } from './sample.js';

describe('JSON', () => {
  const json = JSON.parse(renderClientJson(MIXED)) as ClientReportJson;

  it('has each rule once, without its code, and verdicts by its id', () => {
    expect(json.rules.map(({ id }) => id)).toEqual([
      'client/key-in-header',
      'client/stops-at-failed',
      'client/poll-pause',
      'client/reads-all-chunks',
    ]);
    expect(Object.keys(json.rules[0]!)).toEqual(['id', 'level', 'text', 'source', 'decidedBy', 'weather']);
    const failed = json.results.find(({ weather }) => weather.id === 'job-fails')!;
    expect(failed.verdicts['client/stops-at-failed']).toBe('violated');
    expect(failed.violations['client/stops-at-failed']?.[0]?.calls).toHaveLength(18);
    expect([json.exitCode, json.verdict.slice(0, 6)]).toEqual([1, 'FAILED']);
  });

  it('has bodies of up to 2,000 characters, and of longer ones how long they are', () => {
    const long = { status: 'COMPLETED', output: 'x'.repeat(5_000) };
    const calls = [call(1, 0), call(2, 10, { reply: answered(200, long) })];
    const [made] = clientReportJson(reportOf([result('clear', { calls })])).results;
    expect(made?.calls.map(({ reply }) => reply)).toMatchObject([
      { value: { id: 'abc', status: 'FAILED' } },
      { characters: JSON.stringify(long).length },
    ]);
    expect(made?.calls[1]?.reply).not.toHaveProperty('value');
  });
});

describe('a key', () => {
  const KEY = `rp_${'0123456789ab'.repeat(2)}`;

  it('stands nowhere in a report that was cleaned', () => {
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
    const report = withoutKeys(reportOf([result('clear', { calls, states: violated, more: { output } })]));
    for (const render of [renderClientJson, renderClientJunit, renderClientMarkdown, renderClientHtml])
      expect(render(report, CONTEXT)).not.toContain(KEY.slice(3));
    expect(renderClientJson(report)).toContain('key: [redacted]');
    expect(report.results[0]?.verdicts[0]?.rule.occasions).toBeTypeOf('function');
  });
});

describe('JUnit', () => {
  it('is XML of the structure that CI systems read, with counts that add up', () => {
    const schema = XmlDocument.fromBuffer(readFileSync('specs/report/schemas/junit.xsd'));
    const validator = XsdValidator.fromDoc(schema);
    const document = XmlDocument.fromString(renderClientJunit(MIXED, CONTEXT));
    try {
      expect(() => validator.validate(document)).not.toThrow();
      const count = (path: string): number => document.find(path).length;
      const total = (name: string): number =>
        document
          .find(`/testsuites/testsuite/@${name}`)
          .reduce((sum, { content }) => sum + Number(content), 0);
      expect(count('//testsuite')).toBe(MIXED.results.length);
      expect(count('//testcase')).toBe(total('tests'));
      expect(count('//failure')).toBe(total('failures'));
      expect(count('//error')).toBe(total('errors'));
      expect(count('//skipped')).toBe(total('skipped'));
      expect([count('//failure'), count('//error'), count('//skipped')]).toEqual([4, 1, 2]);
      expect(document.get('/testsuites/@failures')?.content).toBe('4');
      const ending = document.get(
        '//testsuite[@name="key-revoked"]/testcase[@name="ending"]/failure/@message',
      );
      expect(ending?.content).toBe('it ended with exit code 0, although its job did not complete');
    } finally {
      for (const each of [document, validator, schema]) each.dispose();
    }
  });
});

describe('markdown', () => {
  it('begins with the cause, and has the timeline of the gravest as code', () => {
    const text = renderClientMarkdown(reportOf([result('clear'), asksOn('job-fails')]), CONTEXT);
    const lines = text.split('\n');
    expect(lines[0]).toBe(
      '**FAILED client/stops-at-failed under 1 of 2 conditions: it asked 17 times more after it had been told FAILED, until it was stopped \\(job-fails\\)**',
    );
    expect(text).toContain(
      '| `client/stops-at-failed` | advice | 1 | The client keeps `client/stops-at-failed`. (`job-fails`) |',
    );
    expect(text).toMatch(/^ {4}> {3}0\.200 s {2}GET \/status\/abc {2}200 FAILED/m);
    expect(text).toContain('    runproof client --only job-fails --seed 7 -- node my-client.js');
  });

  it('lets foreign text be neither markup nor the end of code', () => {
    const outside = renderClientMarkdown(MIXED, CONTEXT)
      .split('\n')
      .filter((line) => !line.startsWith('    '));
    const unmarked = outside.map((line) => line.replace(/(`+)[^`].*?[^`]\1/g, ''));
    expect(unmarked.filter((line) => /(^|[^\\])</.test(line))).toEqual([]);
    expect(outside.filter((line) => line.startsWith('```'))).toEqual([]);
  });
});

describe('the page', () => {
  const page = renderClientHtml(MIXED, CONTEXT);

  it('executes nothing and loads nothing', () => {
    expect(page).not.toMatch(/<script/);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).not.toMatch(/\b(src|srcset|action|data)\s*=\s*"/);
    expect(page).not.toMatch(/<link\b|@import|url\(/);
    expect(page).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    expect(page).toContain('content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;;');
  });

  it('has no broken link, and leads from each violated cell to its violation', () => {
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(ids.length).toBe(new Set(ids).size);
    const links = [...page.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id);
    expect(links.filter((id) => !ids.includes(id))).toEqual([]);
    expect(page.match(/<td class="cell violated"/g)).toHaveLength(4);
    expect(links).toContain('weather-job-fails-rule-client-stops-at-failed');
  });

  it('opens the weathers in which a rule is violated, and no others', () => {
    const states = [...page.matchAll(/<details class="script weather[^"]*" id="weather-([^"]*)"( open)?/g)];
    expect(states.filter(([, , open]) => open !== undefined).map(([, id]) => id)).toEqual([
      'worker-crashes',
      'job-fails',
      'rate-limited-for-ever',
      'key-revoked',
      'read-half',
    ]);
    expect(states).toHaveLength(MIXED.results.length);
  });

  it('marks the calls of a violation, faults of the weather, and webhooks', () => {
    expect(page).toMatch(/<tr class="call named" id="weather-job-fails-call-2">/);
    expect(page).toMatch(/<tr class="webhook">/);
    expect(page).toMatch(/<span class="badge advice">&lt;script&gt;/);
  });

  it('has at most 200 calls of a weather, and says how many it leaves out', () => {
    const long = renderClientHtml(reportOf([asksOn('job-fails', 500)]), CONTEXT);
    expect(long.match(/<tr class="call/g)).toHaveLength(200);
    expect(long).toMatch(/… 301 more.*the end/s);
  });
});
