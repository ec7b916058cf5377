/** What the data of a failure's page says of an instant, in words. It touches no page. */
import type {
  Band,
  JobLane,
  MomentRow,
  PageData,
  Reason,
  StepRow,
} from '../../report/html/beliefs/page-data.js';
import { entered, exactDuration } from '../../util/duration.js';

/** A band of a lane: what the job may be, or what the call of this instant has ruled out, and why. */
export interface DrawnBand {
  readonly state: string;
  /** Infinite: without a bound. */
  readonly fromMs: number;
  readonly byMs: number;
  /** When it was entered, and by what. */
  readonly words: string;
  /** Null: the job may be in this state. */
  readonly struckBy: readonly string[] | null;
}

/** The rows of a job, by the instant. */
interface Indexed {
  readonly steps: ReadonlyMap<number, StepRow>;
  readonly moments: ReadonlyMap<number, MomentRow>;
}

/** One after the other: a rule ends with a full stop, a reason does not. */
export const sentences = (lines: readonly string[]): string =>
  lines.map((line) => line.replace(/\.$/, '')).join('. ');

export class Reading {
  readonly data: PageData;
  readonly #jobs: readonly Indexed[];
  readonly #callAt: ReadonlyMap<number | null, number>;

  constructor(data: PageData) {
    this.data = data;
    this.#jobs = data.jobs.map(({ steps, moments }) => ({
      steps: new Map(steps.map((row) => [row[0], row])),
      moments: new Map(moments.map((row) => [row[0], row])),
    }));
    this.#callAt = new Map(data.instants.map(([, call], index) => [call, index]));
  }

  get last(): number {
    return this.data.instants.length - 1;
  }

  /** Where the call is among the instants. */
  ofCall(call: number | null): number | undefined {
    return call === null ? undefined : this.#callAt.get(call);
  }

  /** `#3 read the status of a → 200 IN_PROGRESS`. */
  title(instant: number): string {
    const [, call, text] = this.data.instants[instant]!;
    return `${call === null ? '' : `#${call} `}${this.data.texts[text]!}`;
  }

  /** What its call sent, and what came back, as far as the page has it. */
  bodies(instant: number): readonly (readonly [what: string, body: string])[] {
    const [, , , , , sent, got] = this.data.instants[instant]!;
    return (
      [
        ['Sent', sent],
        ['Reply', got],
      ] as const
    ).flatMap(([what, ref]) => (ref < 0 ? [] : [[what, this.data.texts[ref]!] as const]));
  }

  /** The lines above the bodies of its call; none: the page does not have them. */
  headers(instant: number): string {
    return this.data.instants[instant]![7].map((line) => this.data.texts[line]!).join('\n');
  }

  time(instant: number): string {
    return exactDuration(this.data.instants[instant]![0]);
  }

  /** Whether the call of this instant is about the job. */
  concerns(job: number, instant: number): boolean {
    return this.#jobs[job]!.steps.has(instant);
  }

  /** What the job may be; at a call that concerns it, also what that call has ruled out. */
  bands(job: number, instant: number): readonly DrawnBand[] {
    const { steps, moments } = this.#jobs[job]!;
    const step = steps.get(instant);
    const before = step === undefined ? [] : this.data.bands[step[1]]!;
    if (step !== undefined && step[4] >= 0) {
      // The reasons are the proof of the failure.
      const why = this.#unexplained(step[4], instant).slice(0, 2);
      return before.map((band) => this.#drawn(band, why));
    }
    const reasons = step === undefined ? [] : this.data.reasons[step[3]]!;
    const moment = moments.get(instant);
    const now = moment?.[1] ?? (step ?? this.#stepBefore(job, instant))?.[2];
    const possible = now === undefined ? [] : this.data.bands[now]!;
    return [
      ...possible.map((band) => this.#drawn(band, null)),
      ...before.flatMap((band) => {
        // At the end of the call it may be in it again.
        if (possible.some(([state]) => state === band[0])) return [];
        const reason = reasons.find(([state]) => state === band[0]);
        return reason === undefined ? [] : [this.#drawn(band, this.#because(reason, instant))];
      }),
    ];
  }

  /** What else has to be said of the job; null: nothing. */
  note(job: number, instant: number): string | null {
    const { moments, steps } = this.#jobs[job]!;
    const moment = moments.get(instant);
    const own = steps.get(instant);
    if (own !== undefined && own[4] >= 0)
      return 'What follows is judged without that answer and the rules that it may violate';
    if (moment !== undefined) return this.data.texts[moment[3]] ?? null;
    const step = own === undefined ? this.#stepBefore(job, instant) : undefined;
    return step === undefined ? null : `As it was after ${this.title(step[0])}`;
  }

  /** Why the job cannot be in a state at an instant, or that it may be. */
  whyNot(job: number, instant: number, state: string): readonly string[] {
    const { steps, moments } = this.#jobs[job]!;
    const [step, moment] = [steps.get(instant), moments.get(instant)];
    const at = `At ${this.time(instant)}`;
    if (step !== undefined && step[4] >= 0)
      return [`${at}: no state is left`, ...this.#unexplained(step[4], instant)];
    const possible = this.bands(job, instant).filter(({ struckBy }) => struckBy === null);
    const same = possible.filter((band) => band.state === state);
    if (same.length > 0) {
      const isOnly = possible.every((band) => band.state === state);
      return same.map(({ words }) => `${at} it ${isOnly ? 'is' : 'may be'} ${state}: ${words}`);
    }
    if (possible.length > 0 && possible.every((band) => band.state === 'NOT_YET'))
      return [`${at} its submission had not arrived`];
    const reasons = [step?.[3], moment?.[2]].flatMap((ref) =>
      ref === undefined ? [] : this.data.reasons[ref]!,
    );
    const reason = reasons.find((one) => this.data.states[one[0]] === state);
    if (reason !== undefined) return [`${at} it cannot be ${state}`, ...this.#because(reason, instant)];
    const call = this.data.instants[instant]![1];
    if (moment === undefined && call !== null)
      return [`The page does not have it: ${this.data.command.replace(/\d+$/u, String(call))}`];
    const note = this.note(job, instant);
    return [`${at}: not known`, ...(note === null ? [] : [note])];
  }

  /** All that is said of a job at an instant, a line each. */
  lines(job: number, instant: number): readonly string[] {
    const bands = this.bands(job, instant);
    const possible = bands.filter(({ struckBy }) => struckBy === null);
    const note = this.note(job, instant);
    return [
      ...possible.map(({ state, words }) => `${possible.length === 1 ? 'is' : 'may be'} ${state}, ${words}`),
      ...bands.flatMap(({ state, struckBy }) =>
        struckBy === null ? [] : [`cannot be ${state} any more: ${sentences(struckBy)}`],
      ),
      ...(note === null ? [] : [note]),
    ];
  }

  /** A requirement with its sentence; null: none. */
  rule(ref: number): string | null {
    const rule = this.data.rules[ref];
    return rule === undefined ? null : `${rule[0]}  ${rule[1]}`;
  }

  #stepBefore(job: number, instant: number): JobLane['steps'][number] | undefined {
    return this.data.jobs[job]!.steps.findLast(([at]) => at < instant);
  }

  #drawn([state, fromMs, byMs, cause]: Band, struckBy: readonly string[] | null): DrawnBand {
    const name = this.data.states[state]!;
    const [from, by] = [fromMs ?? -Infinity, byMs ?? Infinity];
    const words = [entered(from, by), ...(cause < 0 ? [] : [this.data.texts[cause]!])].join(', ');
    return {
      ...{ state: name, fromMs: from, byMs: by, struckBy },
      words: name === 'NOT_YET' ? 'its submission had not arrived' : words,
    };
  }

  /** The sentence and the call; a call is named where it is not that of the instant itself. */
  #because([, call, rule, why]: Reason, instant: number): readonly string[] {
    const own = this.data.instants[instant]![1];
    const by = this.ofCall(call);
    const sentence = this.rule(rule);
    const all = [
      ...(why < 0 ? [] : [this.data.texts[why]!]),
      ...(sentence === null ? [] : [sentence]),
      ...(by === undefined || call === own ? [] : [`by ${this.title(by)}`]),
    ];
    if (call !== null && call === own)
      return all.length === 0 ? ['by this answer'] : [...all, 'by this answer'];
    return all.length === 0 ? ['no call and no timer has brought it there'] : all;
  }

  #unexplained(ref: number, instant: number): readonly string[] {
    const suspects = this.data.unexplained[ref]!;
    const [first, ...others] = suspects.map(([rule, why]) => ({
      sentence: this.rule(rule) ?? '',
      why: why.map((line) => this.data.texts[line]!),
    }));
    return [
      `nothing explains ${this.title(instant)}`,
      ...(first === undefined ? ['it goes on with what was wrong before'] : [first.sentence, ...first.why]),
      ...others.map(({ sentence }) => `or ${sentence}`),
    ];
  }
}
