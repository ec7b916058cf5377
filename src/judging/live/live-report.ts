/** The report on what has passed, which grows with each part that is judged. It shows no secret of a failing call. */
import type { HistoryEvent } from '../../history/events.js';
import type { Failure, Findings } from '../../oracle/index.js';
import { packageVersion } from '../../package-files.js';
import {
  buildReport,
  createRedactor,
  type Redactor,
  type HistoryTotals,
  type Report,
  type ReportRequirement,
} from '../../report/index.js';
import { historyTotals, sumOfTotals } from '../../report/build.js';
import type { Hint } from '../../traffic/hints/hint.js';
import { failingCalls } from './failing-calls.js';
import type { LiveSettings } from './live-judge.js';
import { secretsIn } from './secrets-in.js';

export interface FinishedLive {
  readonly report: Report;
  /** Of the scripts that the report's failures are about. */
  readonly shown: readonly HistoryEvent[];
  /** By the path that the report names: what makes the calls of a failure again. */
  readonly scripts: ReadonlyMap<string, string>;
}

/** What only later calls show to have failed names calls of parts that are gone: so many secrets of these are known. */
const OTHER_SECRETS_MAX = 500;

export class LiveReport {
  readonly #settings: Pick<LiveSettings, 'upstream' | 'dialect' | 'minDecided' | 'reader'>;
  readonly #scripts = new Map<string, string>();
  /** By the same paths, the endpoint of these calls. */
  readonly #addresses = new Map<string, string>();
  /** Its file, by the number of a script. */
  readonly #files = new Map<number, string>();
  #totals: HistoryTotals | null = null;
  /** The run, and what failed. */
  readonly #shown: HistoryEvent[] = [];
  readonly #secrets = new Set<string>();
  /** Of calls that had failed nothing when their part was over, the last ones. */
  readonly #otherSecrets = new Set<string>();

  constructor(settings: Pick<LiveSettings, 'upstream' | 'dialect' | 'minDecided' | 'reader'>) {
    this.#settings = settings;
  }

  /**
   * @param findings of the part and all before it
   * @param before those without it
   */
  add(findings: Findings, before: Findings | null, part: readonly HistoryEvent[]): void {
    const { upstream } = this.#settings;
    const totals = historyTotals(part);
    this.#totals = this.#totals === null ? totals : sumOfTotals(this.#totals, totals);
    const own = new Set(part.flatMap((event) => (event.kind === 'script' ? [event.script] : [])));
    const isOwn = ({ script }: Failure): boolean => own.has(script);
    // The first failure of each requirement is shown with its calls.
    const failing = new Set(
      findings.requirements.flatMap(({ failures }, at) =>
        (before?.requirements[at]!.failed ?? 0) > 0
          ? []
          : failures
              .filter(isOwn)
              .slice(0, 1)
              .map(({ script }) => script),
      ),
    );
    const told = new Set(
      findings.requirements.flatMap(({ failures }) => failures.map(({ script }) => script)),
    );
    const isTold = (event: HistoryEvent): boolean => 'script' in event && told.has(event.script);
    for (const secret of secretsIn(part.filter(isTold))) this.#secrets.add(secret);
    for (const secret of secretsIn(part.filter((event) => !isTold(event)))) {
      this.#otherSecrets.delete(secret);
      this.#otherSecrets.add(secret);
    }
    for (const secret of this.#otherSecrets)
      if (this.#otherSecrets.size > OTHER_SECRETS_MAX) this.#otherSecrets.delete(secret);
      else break;
    for (const script of failing) {
      const calls = failingCalls(findings, part, script, upstream);
      if (calls.file === null) continue;
      this.#files.set(script, calls.file);
      this.#scripts.set(calls.file, calls.text);
      this.#addresses.set(calls.file, calls.address);
    }
    if (this.#shown.length === 0) this.#shown.push(part[0]!);
    this.#shown.push(...part.filter((event) => 'script' in event && failing.has(event.script)));
  }

  /** Masks what clients and the service have sent that may be a secret. */
  get redactor(): Redactor {
    return createRedactor([...this.#secrets, ...this.#otherSecrets]);
  }

  /**
   * @param findings of all parts, at least one
   * @param endpoints their addresses: with several, each failure names its own
   */
  finished(findings: Findings, endpoints: readonly string[], hints: readonly Hint[]): FinishedLive {
    const { upstream, dialect, minDecided, reader } = this.#settings;
    const [first = `${upstream}/v2/ENDPOINT_ID`] = endpoints;
    const report = buildReport({
      findings,
      history: this.#shown,
      whole: this.#totals!,
      url: upstream,
      replayArguments: [first],
      runproof: packageVersion(),
      program: reader.program,
      at: null,
      wallMs: 0,
      ending: 'finished',
      scriptFiles: this.#files,
      dialect,
      minDecided,
    });
    const requirements =
      endpoints.length < 2 ? report.requirements : report.requirements.map((one) => this.#addressed(one));
    const { redactor } = this;
    return {
      report: redactor.value({ ...report, requirements, hints }),
      shown: this.#shown.map((event) => redactor.event(event)),
      scripts: new Map([...this.#scripts].map(([file, text]) => [file, redactor.text(text)])),
    };
  }

  #addressed(requirement: ReportRequirement): ReportRequirement {
    const failures = requirement.failures.map((failure) => {
      const address = this.#addresses.get(failure.script ?? '');
      return address === undefined ? failure : { ...failure, address };
    });
    return { ...requirement, failures };
  }
}
