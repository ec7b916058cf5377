import { describe, expect, it } from 'vitest';
import { lifecycleMermaid, lifecycleText } from '../../../src/features/list/lifecycle-text.js';
import { transitions, type Transition } from '../../../src/oracle/index.js';
import { requirement } from '../../../src/spec/index.js';
import { JOB_STATUSES } from '../../../src/spec/states.js';

const between = (from: string, to: string): readonly Transition[] =>
  transitions().filter((one) => one.from === from && one.to === to);

describe('the life-cycle of a job', () => {
  it('has every state that the document names', () => {
    const states = new Set<string>(transitions().map(({ from }) => from));
    expect(JOB_STATUSES.filter((status) => !states.has(status))).toEqual([]);
  });

  it.each([
    ['IN_QUEUE', 'IN_PROGRESS'],
    ['IN_PROGRESS', 'COMPLETED'],
    ['IN_PROGRESS', 'FAILED'],
    ['IN_QUEUE', 'CANCELLED'],
    ['IN_PROGRESS', 'CANCELLED'],
    ['FAILED', 'IN_QUEUE'],
    ['TIMED_OUT', 'IN_QUEUE'],
  ])('makes the move of section 3 from %s to %s', (from, to) => {
    expect(between(from, to).some(({ by }) => by !== null)).toBe(true);
  });

  it.each([
    ['IN_PROGRESS', 'IN_QUEUE', '3/no-return-to-queue'],
    ['COMPLETED', 'COMPLETED', '3/completed-stays'],
    ['IN_PROGRESS', 'PURGED', '4.7/keeps-running'],
    ['GONE', 'IN_QUEUE', '4.6/expired-by-ttl-not-retried'],
  ] as const)('makes none from %s to %s, by %s', (from, to, id) => {
    expect(between(from, to).every(({ by }) => by === null)).toBe(true);
    expect(between(from, to).flatMap(({ requires }) => requires)).toContain(id);
  });

  it('bounds the stay in the queue by the ttl', () => {
    const [ttl] = between('IN_QUEUE', 'GONE');
    expect(ttl?.by).toBe('ttl (2.2)');
    // Of a ttl that /status set, of one out of its bounds, and of one in this state.
    expect(ttl?.notEarlier).toEqual([
      '4.3/ttl-lengthens-life',
      '4.3/ttl-not-at-once',
      '2.2/ttl-min-enforced',
      '2.2/ttl-default-not-early',
      '2.2/ttl-not-early-queued',
    ]);
    expect(ttl?.notLater).toEqual([
      '4.3/ttl-shortens-life',
      '2.2/ttl-max-enforced',
      '2.2/ttl-default-removes',
      '2.2/ttl-removes-retried',
      '2.2/ttl-removes-runsync',
      '2.2/ttl-removes-queued',
    ]);
  });

  it('names musts, and one advice: whether a retried job keeps its policy', () => {
    const ids = transitions().flatMap((one) => [...one.notEarlier, ...one.notLater, ...one.requires]);
    expect([...new Set(ids)].filter((id) => requirement(id).level !== 'must')).toEqual(['4.6/keeps-policy']);
  });

  it('is printed state by state', () => {
    const text = lifecycleText(transitions());
    expect(text).toContain('IN_QUEUE\n');
    expect(text).toMatch(
      /  becomes CANCELLED by \/cancel\n {6}must {8}.*\n( {18}.*\n)* {18}3\/cancel-queued\n/,
    );
    expect(text).toContain('  does not become IN_QUEUE by anything else\n');
  });

  it('is drawn with one edge for each two states', () => {
    const lines = lifecycleMermaid(transitions()).split('\n');
    expect(lines[0]).toBe('stateDiagram-v2');
    expect(lines).toContain('  IN_PROGRESS --> FAILED: crash (3), handler (3)');
    const edges = lines.filter((line) => line.includes('-->')).map((line) => line.split(':')[0]);
    expect(new Set(edges).size).toBe(edges.length);
  });
});
