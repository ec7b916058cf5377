/** One clock for several scripts: when it moves, how far, and which scripts wake. Nothing here takes time. */
import { describe, expect, it } from 'vitest';
import { SharedClock, type SharedClockMember } from '../../src/target/http/shared-clock.js';
import { Turns } from '../../src/target/http/turns.js';

/** A clock that notes what it is asked. */
class NotingClock {
  nowMs = 0;
  readonly log: string[] = [];
  /** Where the next event is said to be. */
  nextMs: number | null = null;
  failure: Error | null = null;
  arrival = { earliestMs: 0, latestMs: 0 };

  disturbed(): void {}

  async nextEventMs(): Promise<number | null> {
    this.log.push('ask');
    await Promise.resolve();
    if (this.failure !== null) throw this.failure;
    return this.nextMs;
  }

  async advanceTo(targetMs: number): Promise<void> {
    this.log.push(`to ${targetMs}`);
    this.arrival = { earliestMs: this.nowMs, latestMs: targetMs };
    await Promise.resolve();
    if (this.failure !== null) throw this.failure;
    this.nowMs = targetMs;
    this.arrival = { earliestMs: targetMs, latestMs: targetMs };
  }
}

/** Everything that needs no time has happened. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function together(
  count: number,
  turns = 10,
): Promise<{ clock: NotingClock; shared: SharedClock; members: readonly SharedClockMember[] }> {
  const clock = new NotingClock();
  const shared = new SharedClock(clock, new Turns(turns));
  const members = Array.from({ length: count }, () => shared.join(1));
  await Promise.all(members.map((member) => member.begin()));
  return { clock, shared, members };
}

/** Plays a script that looks at these instants, and returns when it saw the clock. */
async function visits(member: SharedClockMember, instants: readonly number[]): Promise<readonly number[]> {
  const seen: number[] = [];
  for (const instant of instants) {
    await member.advanceTo(instant, true);
    seen.push(member.nowMs);
  }
  member.leave();
  return seen;
}

describe('a clock that scripts share', () => {
  it('moves only when every script waits for it, to the earliest instant that one waits for', async () => {
    const { clock, members } = await together(2);
    const first = members[0]!.advanceTo(500, true);
    await settled();
    expect(clock.log).toEqual([]);
    const second = members[1]!.advanceTo(300, true);
    await second;
    await settled();
    expect(clock.log).toEqual(['to 300']);
    members[1]!.leave();
    await first;
    expect(clock.log).toEqual(['to 300', 'to 500']);
  });

  it('stops once at an instant that several scripts wait for, and shows each script its own instants', async () => {
    const { clock, members } = await together(3);
    const plans = [[0, 250, 500], [500, 1_000], [250]];
    const seen = await Promise.all(plans.map((plan, index) => visits(members[index]!, plan)));
    expect(seen).toEqual(plans);
    expect(clock.log).toEqual(['to 0', 'to 250', 'to 500', 'to 1000']);
  });

  it('asks once for the next event when several scripts ask, after all that others have begun is done', async () => {
    const { clock, members } = await together(3);
    clock.nextMs = 40;
    const asked = [members[0]!.nextEventMs(), members[1]!.nextEventMs()];
    await settled();
    expect(clock.log).toEqual([]);
    const third = members[2]!.advanceTo(900, true);
    expect(await Promise.all(asked)).toEqual([40, 40]);
    expect(clock.log).toEqual(['ask']);
    members[0]!.leave();
    members[1]!.leave();
    await third;
    expect(clock.log).toEqual(['ask', 'to 900']);
  });

  it('does not wait for a script that has left', async () => {
    const { clock, members } = await together(2);
    const first = members[0]!.advanceTo(70, true);
    members[1]!.leave();
    await first;
    expect(clock.log).toEqual(['to 70']);
  });

  it('tells a script when something arrives for it: at its instant, or while the clock was moved', async () => {
    const { clock, members } = await together(2);
    const exact = members[0]!.advanceTo(500, true);
    const open = members[1]!.advanceTo(500, false);
    expect(members[0]!.arrival).toEqual({ earliestMs: 500, latestMs: 500 });
    expect(members[1]!.arrival).toEqual({ earliestMs: 0, latestMs: 500 });
    await Promise.all([exact, open]);
    expect(clock.arrival).toEqual({ earliestMs: 500, latestMs: 500 });
    expect(members[1]!.arrival).toEqual({ earliestMs: 500, latestMs: 500 });
  });

  it('lets every script know that test control has failed', async () => {
    const { clock, members } = await together(3);
    clock.failure = new Error('gone');
    const waits = members.map((member, index) => member.advanceTo(100 + index, true));
    const ends = await Promise.allSettled(waits);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    clock.failure = null;
    members[0]!.leave();
    members[1]!.leave();
    await members[2]!.advanceTo(200, true);
    expect(clock.nowMs).toBe(200);
  });

  it('holds nobody up once it is interrupted', async () => {
    const { clock, shared, members } = await together(3);
    const sleeping = members[0]!.advanceTo(100, true);
    const asking = members[1]!.nextEventMs();
    shared.interrupt();
    await sleeping;
    expect(await asking).toBeNull();
    await members[2]!.advanceTo(100, true);
    expect(clock).toMatchObject({ nowMs: 0, log: [] });
  });
});

describe('turns', () => {
  it('let so many scripts be busy at once, and the clock waits for the others, too', async () => {
    const { clock, members } = await together(5, 5);
    let busy = 0;
    let busyMax = 0;
    const few = new SharedClock(clock, new Turns(2));
    const scripts = members.map(() => few.join(1));
    for (const member of members) member.leave();
    await Promise.all(
      scripts.map(async (member) => {
        await member.begin();
        for (const instant of [10, 20]) {
          busyMax = Math.max(busyMax, (busy += 1));
          await settled();
          expect(member.nowMs).toBe(instant - 10);
          busy -= 1;
          await member.advanceTo(instant, true);
        }
        member.leave();
      }),
    );
    expect(busyMax).toBe(2);
    expect(clock.log).toEqual(['to 10', 'to 20']);
  });

  it('are taken in order, several at a time, and never more than there are', async () => {
    const turns = new Turns(3);
    const order: string[] = [];
    const take = async (name: string, count: number): Promise<void> => {
      await turns.take(count);
      order.push(name);
    };
    const all = [take('one', 1), take('too many', 9), take('two', 2)];
    await settled();
    expect(order).toEqual(['one']);
    turns.giveBack(1);
    await settled();
    expect(order).toEqual(['one', 'too many']);
    turns.giveBack(9);
    await Promise.all(all);
    expect(order).toEqual(['one', 'too many', 'two']);
  });
});
