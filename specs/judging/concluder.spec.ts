/** A run that is judged while it goes on comes to the same as one that is judged at its end. */
import { describe, expect, it } from 'vitest';
import { Concluder, type ConcludeInput } from '../../src/judging/concluder.js';
import { TraceBuilder } from '../oracle/support/trace-builder.js';

function failing(): ConcludeInput {
  const told = new TraceBuilder(2).submitted(0, 'one', [{ hang: true }], { ttl: 10_000 });
  const events = told.seen(500, 'one', 'IN_PROGRESS').seen(50_000, 'one', 'IN_PROGRESS').history(2_000_000);
  return { events, judgeOptions: {}, secrets: [], reasons: new Map(), asked: {}, exercises: new Map() };
}

describe('events that are heard one by one', () => {
  const input = failing();
  const { events, judgeOptions, ...rest } = input;

  it('are judged as all of them together', () => {
    const [together, oneByOne] = [new Concluder(), new Concluder()];
    for (const event of events) oneByOne.hear([event], judgeOptions);
    const findings = oneByOne.judgeHeard({ ...rest, judgeOptions });
    expect(findings).toEqual(together.judge(input));
    expect(findings.requirements.filter(({ verdict }) => verdict === 'fail')).not.toEqual([]);
    expect(oneByOne.judgeMore([])).toEqual(findings);
  });

  it('tell of an error of the judge where the run is judged', () => {
    const concluder = new Concluder();
    concluder.hear(events.slice(1), judgeOptions);
    expect(() => concluder.judgeHeard({ ...rest, judgeOptions })).toThrow('a history begins with');
  });
});
