/** Gathers what the page of a failure shows: what is believed of each job of its script, as the judge followed it. */
import type { Body, CallEvent, HistoryEvent, RunEvent } from '../../../history/events.js';
import type {
  Belief,
  BeliefStep,
  FollowedJob,
  Moment,
  RuledOut,
  Unexplained,
} from '../../../oracle/index.js';
import { isRequirementId, requirement } from '../../../spec/index.js';
import { exactDuration } from '../../../util/duration.js';
import { callDetails } from '../../calls/call-details.js';
import { causeOf, numberOf } from '../../calls/beliefs-text.js';
import { escapedTexts, truncated } from '../../escape.js';
import type { ReportFailure } from '../../report.js';
import { Counted } from './counts.js';
import { instantsOf, type ScriptInstant, type ScriptInstants } from './instants.js';
import { Interned } from './interned.js';
import { BELIEVED_STATES, type Band, type PageData, type Reason } from './page-data.js';

/** More lanes are no picture. */
const JOBS_MAX = 24;
/** At so many times between two instants, at most, it is shown what time alone does. */
const BETWEEN_MAX = 3;
/** Characters of one body, and of all that a page has. */
const [BODY_MAX, BODIES_MAX] = [2_000, 120_000];

interface Gathered {
  readonly failure: ReportFailure;
  readonly script: number;
  /** Of this script, at least one. */
  readonly jobs: readonly FollowedJob[];
  readonly history: readonly HistoryEvent[];
  readonly run: RunEvent;
  readonly command: string;
  /** Of a long script, jobs are asked for near the failure: in all, so many of their steps are followed again. */
  readonly followedMax: number;
}

/** Null if the history does not have the script. */
export function gather(given: Gathered): PageData | null {
  const found = instantsOf(given.history, given.script, given.run);
  return found === null ? null : new Gathering(given, found).data();
}

class Gathering {
  readonly #given: Gathered;
  readonly #script: ScriptInstants['script'];
  readonly #instants: readonly ScriptInstant[];
  readonly #jobs: readonly FollowedJob[];
  /** The instants at which jobs are asked for. */
  readonly #asked: ReadonlySet<number>;
  readonly #texts = new Interned<string>();
  readonly #rules = new Interned<readonly [string, string]>();
  readonly #bands = new Interned<readonly Band[]>();
  readonly #reasons = new Interned<readonly Reason[]>();
  readonly #unexplained = new Interned<PageData['unexplained'][number]>();
  readonly #counts = new Interned<PageData['counts'][number]>();

  constructor(given: Gathered, { script, instants }: ScriptInstants) {
    this.#given = given;
    this.#script = script;
    this.#jobs = given.jobs
      .toSorted((one, other) => this.#nearness(other) - this.#nearness(one))
      .slice(0, JOBS_MAX);
    const cost = this.#jobs.reduce((sum, { steps }) => sum + steps.length + 1, 0);
    const { followedMax } = given;
    const isLong = cost * instants.length > followedMax;
    this.#instants = isLong ? instants : this.#withTime(instants);
    this.#asked = new Set(this.#nearest().slice(0, Math.max(1, Math.floor(followedMax / cost))));
  }

  data(): PageData {
    const { failure, command, history, run } = this.#given;
    const submitted = new Set(this.#given.jobs.map(({ submitted: { call } }) => call));
    const counted = new Counted(run, this.#script, history, submitted);
    const moments = this.#jobs.map((job) =>
      this.#instants.map((instant, index) => (this.#asked.has(index) ? momentOf(job, instant) : null)),
    );
    const bodies = this.#bodies();
    return escapedTexts({
      instants: this.#instants.map((instant, index): PageData['instants'][number] => [
        instant.atMs,
        instant.call?.call ?? null,
        this.#texts.put(instant.text),
        instant.marks.map((mark) => this.#texts.put(mark)),
        this.#counts.put(
          counted
            .at(instant, this.#ofEndpoint(moments, index))
            .map((row) => [this.#texts.put(row[0]), this.#texts.put(row[1])] as const),
        ),
        ...bodies[index]!,
      ]),
      jobs: this.#jobs.map((job, at) => this.#lane(job, moments[at]!)),
      evidence: failure.shrunk?.calls ?? failure.calls,
      first: this.#first(),
      command,
      states: BELIEVED_STATES,
      texts: this.#texts.values,
      rules: this.#rules.values,
      bands: this.#bands.values,
      reasons: this.#reasons.values,
      unexplained: this.#unexplained.values,
      counts: this.#counts.values,
    });
  }

  /** What was sent and what came back, as far as there is room: near the failure first. */
  #bodies(): readonly (readonly [sent: number, got: number, headers: readonly number[]])[] {
    let room = BODIES_MAX;
    const refs = this.#instants.map((): readonly [number, number, readonly number[]] => [-1, -1, []]);
    for (const at of this.#nearest()) {
      const { call } = this.#instants[at]!;
      const texts = call === null || room <= 0 ? [] : [call.request.body, call.reply?.body].map(bodyText);
      const [sent = null, got = null] = texts;
      const headers = call === null || room <= 0 ? [] : headersOf(call);
      refs[at] = [
        this.#texts.putSome(sent),
        this.#texts.putSome(got),
        headers.map((line) => this.#texts.put(line)),
      ];
      room -= (sent?.length ?? 0) + (got?.length ?? 0) + headers.join('').length;
    }
    return refs;
  }

  /** The places of all instants, those nearest to the failure first. */
  #nearest(): readonly number[] {
    const first = this.#first();
    const places = this.#instants.map((_, index) => index);
    return places.toSorted((one, other) => Math.abs(one - first) - Math.abs(other - first));
  }

  /** The jobs that the failure is about come first. */
  #nearness({ id, submitted, steps }: FollowedJob): number {
    const { contradiction, calls } = this.#given.failure;
    const isAbout = contradiction !== null && 'job' in contradiction && contradiction.job === id;
    const isTouched = calls.includes(submitted.call) || steps.some(({ call }) => calls.includes(call ?? -1));
    return Number(isAbout) * 2 + Number(isTouched);
  }

  /** The last call of the failure. */
  #first(): number {
    const last = this.#given.failure.calls.at(-1);
    return Math.max(
      0,
      this.#instants.findIndex(({ call }) => call !== null && call.call === last),
    );
  }

  /** With the times between two instants at which a timer may bring a job into another state. */
  #withTime(instants: readonly ScriptInstant[]): readonly ScriptInstant[] {
    const last = instants.at(-1)!;
    const edges = this.#jobs
      .flatMap((job) => [...job.steps.map(({ before }) => before), momentOf(job, last).beliefs])
      .flatMap((beliefs) => beliefs.flatMap(({ fromMs, byMs }) => [fromMs, byMs]))
      .filter(Number.isFinite);
    const inOrder = [...new Set(edges)].sort((one, other) => one - other);
    return instants.flatMap((instant, index) => {
      const sinceMs = instants[index - 1]?.atMs ?? Infinity;
      const passed = inOrder
        .filter(
          (ms) => ms > sinceMs && ms < instant.atMs - (instant.call === null ? 0 : tookOf(instant.call)),
        )
        .slice(0, BETWEEN_MAX)
        .map((atMs): ScriptInstant => ({ atMs, call: null, text: 'time passes', marks: [] }));
      return [...passed, instant];
    });
  }

  /** Null where a job of the endpoint is not known at that instant. */
  #ofEndpoint(moments: readonly (readonly (Moment | null)[])[], index: number): readonly Moment[] | null {
    if (!this.#asked.has(index) || this.#jobs.length < this.#given.jobs.length) return null;
    const own = this.#jobs.flatMap(({ submitted }, at) =>
      submitted.endpoint === this.#script.endpoint ? [moments[at]![index]!] : [],
    );
    return own.some(({ unknown }) => unknown !== null) ? null : own;
  }

  #lane(job: FollowedJob, moments: readonly (Moment | null)[]): PageData['jobs'][number] {
    const { submitted, id, steps, wordsFromMs } = job;
    const at = new Map(this.#instants.map(({ call }, index) => [call?.call, index]));
    const from =
      wordsFromMs === 0
        ? ''
        : `; times in reasons count from ${exactDuration(-wordsFromMs)} before the script`;
    return {
      name: `Job ${submitted.label ?? id}`,
      about: `${submitted.label === null ? '' : `${id}, `}submitted by #${submitted.call}${from}`,
      steps: steps.flatMap((step) => {
        const instant = step.call === null ? undefined : at.get(step.call);
        return instant === undefined ? [] : [this.#step(step, instant)];
      }),
      moments: moments.flatMap((moment, instant) =>
        moment === null
          ? []
          : [
              [
                instant,
                this.#bandsOf(moment.beliefs),
                this.#reasonsOf(moment.ruledOut),
                this.#texts.putSome(noteOf(moment)),
              ] as const,
            ],
      ),
    };
  }

  #step({ before, after, ruledOut, contradiction }: BeliefStep, instant: number) {
    return [
      instant,
      this.#bandsOf(before),
      this.#bandsOf(after),
      this.#reasonsOf(ruledOut, showsState(this.#instants[instant]!) ? SHOWS_STATE : null),
      contradiction === null ? -1 : this.#unexplainedOf(contradiction),
    ] as const;
  }

  #bandsOf(beliefs: readonly Belief[]): number {
    return this.#bands.put(
      beliefs.map((one) => [
        BELIEVED_STATES.indexOf(one.state),
        finite(one.fromMs),
        finite(one.byMs),
        this.#texts.putSome(causeOf(one)),
      ]),
    );
  }

  /** @param otherwise the rule by which the answer alone rules states out */
  #reasonsOf(all: readonly RuledOut[], otherwise: string | null = null): number {
    return this.#reasons.put(
      all.map(({ state, call, requirement: id, why }) => [
        BELIEVED_STATES.indexOf(state),
        call,
        this.#rule(id ?? (why === null ? otherwise : null)),
        this.#texts.putSome(why),
      ]),
    );
  }

  #unexplainedOf({ suspects }: Unexplained): number {
    return this.#unexplained.put(
      suspects.map(({ requirement: id, why }) => [this.#rule(id), why.map((line) => this.#texts.put(line))]),
    );
  }

  #rule(id: string | null): number {
    return this.#rules.putSome(id !== null && isRequirementId(id) ? [id, requirement(id).text] : null);
  }
}

/** What a record shows is the state of its job: it is in no other one. */
const SHOWS_STATE = '4.3/shows-current-state';
const showsState = ({ call }: ScriptInstant): boolean => call?.op === 'status' && call.reply?.status === 200;

const momentOf = (job: FollowedJob, { atMs, call }: ScriptInstant): Moment =>
  job.at(atMs, call?.endedTick ?? undefined);

const tookOf = ({
  sentMs,
  receivedMs,
}: {
  readonly sentMs: number;
  readonly receivedMs: number | null;
}): number => (receivedMs ?? sentMs) - sentMs;

const bodyText = (body: Body | undefined): string | null =>
  body === undefined || body.as === 'none'
    ? null
    : truncated(body.as === 'json' ? JSON.stringify(body.value) : body.text, BODY_MAX);

/** The first lines of the request and of the reply, with the headers that the history has. */
function headersOf(call: CallEvent): readonly string[] {
  const { request, reply } = callDetails(call, 0, null);
  return [request, ...(reply === null ? [] : [reply])].flatMap(({ start, headers }, at) => [
    ...(at === 0 ? [] : ['']),
    start,
    ...headers.map(([name, value]) => `${name}: ${truncated(value, BODY_MAX)}`),
  ]);
}

const finite = (ms: number): number | null => (Number.isFinite(ms) ? ms : null);

function noteOf({ pending, unknown, contradictions, beliefs }: Moment): string | null {
  const notes = [
    ...(pending.length === 0
      ? []
      : [`Not answered by then, in effect or not: ${pending.map(numberOf).join(', ')}`]),
    ...(unknown === null ? [] : [`Not known: ${unknown}`]),
    ...contradictions.map(({ call }) =>
      beliefs.length === 0
        ? `Nothing explains ${call === null ? 'a webhook call' : `#${call}`}: the job is not followed any further`
        : `Without the answer of ${call === null ? 'a webhook call' : `#${call}`} and the rules that it may violate`,
    ),
  ];
  return notes.length === 0 ? null : notes.join('. ');
}
