/** Scripts, tokens and histories that earlier versions have saved are still read. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readHistory } from '../../src/files/history-file.js';
import { readToken, tokenOf } from '../../src/files/replay-token.js';
import { judge } from '../../src/oracle/index.js';
import { drawScript } from '../../src/scenario/draw.js';
import { parseScript, scenario, type NamedScenario } from '../../src/scenario/index.js';
import { inEarlierWords, inPresentWords } from '../../src/scenario/earlier-words.js';
import { runHeader } from '../support/run-header.js';
import { play } from '../target-simulator/support.js';

const LIMITS = { graceMs: 0, marginMs: 1, maxWaitMs: 70_000, maxWorkers: 4 };

/** On a second endpoint, and with a key without its first character. */
const scenarioWith = (there: string, auth: string): NamedScenario => ({
  ...scenario({
    title: 'uses what is called otherwise now',
    exercises: ['1/endpoints-isolated-health'],
    secondEndpoint: true,
    script: (_, s) => [
      s.run('a', { endpoint: there, plan: [{ hang: true }] }),
      s.health({ endpoint: there }),
      s.health(),
      s.health({ auth: auth as 'wrong' }),
      s.health({ endpoint: 'beheaded' }),
    ],
  }),
  name: '1/spec',
});
const present = scenarioWith('{second-endpoint}', 'truncated-start');
const script = drawScript(present, 7, LIMITS);

/** What a file of an earlier version says. */
const earlier = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('"secondEndpoint":', '"neighbour":')
    .replaceAll('"{second-endpoint}"', '"{neighbour}"')
    .replaceAll('"truncated-start"', '"beheaded"');

it('a script, and no word of it that means something else', () => {
  const saved: unknown = JSON.parse(earlier(script));
  expect(saved).not.toEqual(script);
  expect(parseScript(saved)).toEqual(script);
  expect(parseScript(script)).toEqual(script);
  expect(script.steps.at(-1)).toMatchObject({ endpoint: 'beheaded' });
  expect(inEarlierWords(script)).toEqual({ ...(saved as object), steps: expect.anything() as unknown });
  expect(inPresentWords('neighbour')).toBe('neighbour');
});

it('a token, whose scenario draws the same in other words', () => {
  const was = scenarioWith('{neighbour}', 'beheaded');
  const wish = {
    requirements: ['1/endpoints-isolated-health'],
    edition: 'document' as const,
    limits: LIMITS,
  };
  const token = tokenOf(drawScript(was, 7, LIMITS), { ...wish, scenarios: [was] })!;
  expect(readToken(token, [present]).script).toEqual(script);
});

it('a history, which is judged as before', () => {
  const run = runHeader({
    target: { kind: 'simulator', name: 'simulator' },
    capabilities: ['test-control', 'second-endpoint'],
  });
  const events = [run, ...play([script]).events];
  const file = join(mkdtempSync(join(tmpdir(), 'runproof-')), 'history.ndjson');
  writeFileSync(file, events.map((event) => `${earlier(event)}\n`).join(''));
  expect(earlier(events)).toContain('"neighbour":"sim-0-neighbour"');
  expect(earlier(events)).toContain('"auth":"beheaded"');
  expect(readHistory(file, '/')).toEqual(events);
  const findings = judge(events);
  expect(judge(events.map((event) => JSON.parse(earlier(event)) as typeof event))).toEqual(findings);
  // What is read wrongly is judged otherwise.
  const unread = events.map(
    (event) => JSON.parse(JSON.stringify(event).replace('"secondEndpoint":', '"x":')) as typeof event,
  );
  expect(judge(unread)).not.toEqual(findings);
});
