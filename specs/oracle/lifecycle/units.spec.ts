/** Units of reported times (section 2.4), which the document does not show. */
import { describe, expect, test } from 'vitest';
import { failed, TraceBuilder, verdictOf } from '../support/trace-builder.js';

const done = (trace: TraceBuilder, id: string, atMs: number, delayTime: number, executionTime: number) =>
  trace.seen(atMs, id, 'COMPLETED', { delayTime, executionTime, output: 1 });
const submitted = (trace: TraceBuilder, atMs: number, id: string): TraceBuilder =>
  trace.submitted(atMs, id, [{ sleepMs: 300 }, { return: 1 }]);

describe('times in a finer unit than ms', () => {
  /** As ms it fits the age of the job: only another job, read soon, shows that it cannot be ms. */
  const late = (): TraceBuilder => done(submitted(new TraceBuilder(2), 0, 'a'), 'a', 660_000, 0, 300_000);

  test('fail nothing where they show only after others were read as ms', () => {
    const trace = late();
    trace.by(1);
    const finer = done(submitted(trace, 661_000, 'b'), 'b', 662_000, 0, 300_000);
    expect(failed(finer.judged(900_000))).toEqual([]);
  });

  test('fail where nothing shows another unit', () => {
    expect(failed(late().judged(900_000))).toEqual(['2.4/execution-time-measures-run']);
  });
});

describe('two times in two units', () => {
  const waited = (delayTime: number, executionTime: number) => {
    const trace = new TraceBuilder(1, { graceMs: 100 })
      .submitted(0, 'first', [{ sleepMs: 3_000 }, { return: 1 }])
      .submitted(10, 'a', [{ sleepMs: 2_000 }, { return: 1 }])
      .seen(2_900, 'a', 'IN_QUEUE');
    done(trace, 'first', 3_050, 0, 3_000);
    return done(trace, 'a', 5_100, delayTime, executionTime).judged(60_000);
  };

  test.each([
    [3, 2_000],
    [2_990, 2],
  ])('go against advice only: %s and %s', (delayTime, executionTime) => {
    const findings = waited(delayTime, executionTime);
    expect(failed(findings).filter((id) => !id.endsWith('-integer'))).toEqual(['2.4/times-same-unit']);
  });

  test('are failed where no unit explains one of them', () => {
    expect(failed(waited(1_000, 2_000))).toEqual(['2.4/delay-time-measures-waiting']);
    expect(verdictOf(waited(2_990, 2_000), '2.4/times-same-unit')).not.toBe('fail');
  });
});
