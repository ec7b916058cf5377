/** Bodies that are sent in two parts: what few bytes are missing of many calls keeps all of them under way at once. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { HeldBack } from '../../history/events.js';
import type { HeldTogether } from '../../runner/api.js';

/** How long all are held back together: longer than the usual grace, so that a target has surely heard of each. */
const HELD_MS = 2_500;
/** The same for a nearby target whose clock stands still: it has nothing else to do. */
const HELD_AT_A_STANDSTILL_MS = 1_000;
/** The same for a target that tells what has arrived: connecting hundreds takes long on a busy machine. */
const HELD_UNTIL_ARRIVED_MS = 5_000;
/** How long the last bytes that were sent may remain without an answer before the next are sent. */
const ROUND_MS = 400;
/** The same once none of them was answered in that time: they wait for something else. */
const ROUND_IN_VAIN_MS = 100;
/** Who cannot even connect holds the others up no longer than that. */
const CONNECT_MAX_MS = 10_000;

/** Real ms that calls held back together may take, beside what each takes anyway. */
export const heldMaxMs = ({ count, atATime }: HeldTogether): number =>
  CONNECT_MAX_MS + HELD_UNTIL_ARRIVED_MS + Math.ceil(count / atATime) * ROUND_MS;

/** The second part of one call. */
export interface HeldUpload {
  /** All but the last byte was handed to the network. */
  written(): void;
  /** Resolves when the last byte may be sent. */
  readonly rest: Promise<void>;
  /** The target has all but the last byte, and shows that it counts the call as in flight. */
  arrived(): void;
  /** The target counts such calls, so that one that has arrived shows. */
  counted(): void;
  /** The call has ended, whichever way. */
  over(): void;
  /** What came of it, once the call is over. */
  readonly held: HeldBack;
}

type Course = { -readonly [Part in keyof HeldBack]: HeldBack[Part] };

interface Member extends HeldUpload {
  readonly held: Course;
  readonly ready: Promise<void>;
  readonly arrival: Promise<void>;
  readonly ended: Promise<void>;
  readonly release: () => void;
}

export class HeldUploads {
  readonly #nextTick: () => number;
  /** By the object that a burst's calls share. */
  readonly #gathering = new Map<HeldTogether, Member[]>();

  constructor(nextTick: () => number) {
    this.#nextTick = nextTick;
  }

  /** `nowMs`: of the target's clock; a number where it stands still. */
  join(together: HeldTogether, nowMs: number | (() => number), isFarAway: boolean): HeldUpload {
    const members = this.#gathering.get(together) ?? [];
    this.#gathering.set(together, members);
    const member = this.#newMember();
    members.push(member);
    if (members.length === together.count) {
      this.#gathering.delete(together);
      const isSoonThere = typeof nowMs === 'number' && !isFarAway;
      const holdMs = isSoonThere ? HELD_AT_A_STANDSTILL_MS : HELD_MS;
      void this.#release(members, together.atATime, nowMs, holdMs);
    }
    return member;
  }

  #newMember(): Member {
    const [ready, setReady] = opened();
    const [arrival, setArrived] = opened();
    const [ended, setEnded] = opened();
    const [rest, release] = opened();
    const member: Member = {
      held: { fromTick: null, untilTick: null, overTick: Infinity, untilMs: 0, togetherMs: 0 },
      ready,
      arrival,
      ended,
      rest,
      release,
      written: () => {
        member.held.fromTick = this.#nextTick();
        setReady();
      },
      arrived: () => {
        member.held.arrived = true;
        setArrived();
      },
      counted: () => void (member.held.arrived ??= false),
      over: () => {
        member.held.overTick = this.#nextTick();
        setReady();
        setArrived();
        setEnded();
      },
    };
    return member;
  }

  async #release(
    members: readonly Member[],
    atATime: number,
    nowMs: number | (() => number),
    holdMs: number,
  ): Promise<void> {
    await within(
      CONNECT_MAX_MS,
      members.map(({ ready }) => ready),
    );
    const fromMs = performance.now();
    const arrivals = members.map(({ arrival }) => arrival);
    await within(holdMs, arrivals);
    if (members.some(({ held }) => held.arrived === false))
      await within(HELD_UNTIL_ARRIVED_MS - holdMs, arrivals);
    const togetherMs = Math.floor(performance.now() - fromMs);
    const untilMs = typeof nowMs === 'number' ? nowMs : nowMs();
    let roundMs = ROUND_MS;
    for (let next = 0; next < members.length; next += atATime) {
      const some = members.slice(next, next + atATime);
      for (const { held, release } of some) {
        if (held.overTick === Infinity)
          Object.assign(held, { untilTick: this.#nextTick(), untilMs, togetherMs });
        release();
      }
      await within(
        roundMs,
        some.map(({ ended }) => ended),
      );
      if (some.every(({ held }) => held.overTick === Infinity)) roundMs = ROUND_IN_VAIN_MS;
    }
  }
}

function opened(): readonly [Promise<void>, () => void] {
  let open!: () => void;
  const promise = new Promise<void>((resolve) => (open = resolve));
  return [promise, open];
}

async function within(ms: number, all: readonly Promise<void>[]): Promise<void> {
  const timeLimit = new AbortController();
  const time = sleep(ms, undefined, { signal: timeLimit.signal }).catch(() => undefined);
  await Promise.race([Promise.all(all), time]);
  timeLimit.abort();
}
