import { describe, expect, it } from 'vitest';
import { jobRows } from '../../../src/report/html/job-rows.js';
import { renderHtml } from '../../../src/report/html/index.js';
import { TraceBuilder } from '../../oracle/support/trace-builder.js';
import { CONTEXT, HOSTILE, madeUpReport } from '../sample-report.js';

const plan = [{ sleepMs: 5_000 }, { return: 1 }];
/** Two jobs and one worker: the second one waits for the first one. */
const script = (): TraceBuilder =>
  new TraceBuilder(1)
    .submitted(0, 'a', plan)
    .submitted(10, 'b', plan)
    .seen(100, 'a', 'IN_PROGRESS')
    .seen(100, 'b', 'IN_QUEUE')
    .staffed(3_000, 2)
    .seen(6_000, 'a', 'COMPLETED', { delayTime: 0, executionTime: 5_000 })
    .seen(11_000, 'b', 'COMPLETED', { delayTime: 4_990, executionTime: 5_000 });
const drawn = (history: TraceBuilder, inMs = true): string => jobRows(history.events, 0, inMs)!.markup;

describe('the jobs of a script in time', () => {
  it('have a row each, with what was seen and what was not', () => {
    const markup = drawn(script());
    expect(markup.match(/class="name"/g)).toHaveLength(2);
    expect(markup).toMatch(/class="state in_queue"[^>]*><title>IN_QUEUE<\/title>/);
    expect(markup).toMatch(/class="state unknown"[^>]*><title>IN_PROGRESS → COMPLETED<\/title>/);
    expect(markup).toContain('1 worker at the start.');
    expect(markup).toContain('<title>2 workers from here on</title>');
    expect(markup).toMatch(/aria-label="Jobs in time: [^"]*COMPLETED by 6 s; [^"]*COMPLETED by 11 s"/);
  });

  it('show when each ran, as its record reports, one after the other', () => {
    const runs = [...drawn(script()).matchAll(/class="run" d="M([\d.]+) \d+H([\d.]+)"/g)];
    const [[, , firstEnd], [, secondStart]] = runs as unknown as readonly (readonly string[])[] as [
      readonly string[],
      readonly string[],
    ];
    expect(runs).toHaveLength(2);
    expect(Number(secondStart)).toBeGreaterThanOrEqual(Number(firstEnd));
    expect(drawn(script(), false)).not.toContain('class="run"');
  });

  it('do not show a run that contradicts what was seen', () => {
    const odd = script().seen(12_000, 'b', 'COMPLETED', { delayTime: -5, executionTime: 1e300 });
    expect(drawn(odd).match(/class="run"/g)).toHaveLength(1);
  });

  it('are not drawn for one job, nor for a crowd', () => {
    expect(
      jobRows(new TraceBuilder(1).submitted(0, 'a', plan).seen(1, 'a', 'IN_PROGRESS').events, 0, true),
    ).toBeNull();
    const crowd = new TraceBuilder(1);
    for (let job = 0; job < 40; job += 1)
      crowd.submitted(job, `j${job}`, plan).seen(job, `j${job}`, 'IN_QUEUE');
    expect(jobRows(crowd.events, 0, true)).toBeNull();
    expect(jobRows(script().events, 7, true)).toBeNull();
  });

  it('hold odd states and names within bounds', () => {
    const odd = script();
    for (let read = 0; read < 60; read += 1)
      odd.seen(12_000 + read, 'b', `${HOSTILE}${read}${'x'.repeat(5_000)}`);
    const markup = drawn(odd);
    expect(markup.length).toBeLessThan(60_000);
    expect(markup).not.toContain('<script>');
  });

  it('stand above the steps of the script in the report', () => {
    const made = madeUpReport();
    const [first, ...others] = made.requirements;
    const requirement = { ...first!, failures: [{ ...first!.failures[0]!, calls: [0] }] };
    const page = renderHtml(
      { ...made, requirements: [requirement, ...others] },
      { ...CONTEXT, history: script().events },
    );
    expect(page).toMatch(
      /<details class="script" id="script-0">.*?<figure class="axis proofs jobs">.*?<ol class="steps">/s,
    );
  });
});
