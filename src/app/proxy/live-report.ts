/** The report on what has passed, which grows with each part that is judged. It shows no secret of a failing call. */
import type { HistoryEvent } from '../../history/events.js';
import type { Findings } from '../../oracle/index.js';
import { packageVersion } from '../../package-files.js';
import {
  buildReport,
  createRedactor,
  mergeReports,
  type Report,
  type ReportRequirement,
} from '../../report/index.js';
import type { Hint } from '../../traffic/index.js';
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

export class LiveReport {
  readonly #settings: Pick<LiveSettings, 'upstream' | 'dialect' | 'minDecided' | 'reader'>;
  readonly #scripts = new Map<string, string>();
  /** By the same paths, the endpoint of these calls. */
  readonly #addresses = new Map<string, string>();
  #report: Report | null = null;
  #shown: readonly HistoryEvent[] = [];
  readonly #secrets = new Set<string>();

  constructor(settings: Pick<LiveSettings, 'upstream' | 'dialect' | 'minDecided' | 'reader'>) {
    this.#settings = settings;
  }

  add(findings: Findings, part: readonly HistoryEvent[]): void {
    const { upstream, dialect, minDecided, reader } = this.#settings;
    // The first failure of each requirement is shown with its calls.
    const failing = new Set(
      findings.requirements.flatMap(({ failures }, index) =>
        (this.#report?.requirements[index]!.failed ?? 0) > 0
          ? []
          : failures.slice(0, 1).map(({ script }) => script),
      ),
    );
    const told = new Set(
      findings.requirements.flatMap(({ failures }) => failures.map(({ script }) => script)),
    );
    const tellable = part.filter((event) => 'script' in event && told.has(event.script));
    for (const secret of secretsIn(tellable)) this.#secrets.add(secret);
    const scriptFiles = new Map<number, string>();
    for (const script of failing) {
      const calls = failingCalls(findings, part, script, upstream);
      if (calls.file === null) continue;
      scriptFiles.set(script, calls.file);
      this.#scripts.set(calls.file, calls.text);
      this.#addresses.set(calls.file, calls.address);
    }
    const report = buildReport({
      findings,
      history: part,
      url: upstream,
      runproof: packageVersion(),
      program: reader.program,
      at: null,
      wallMs: 0,
      ending: 'finished',
      scriptFiles,
      dialect,
      minDecided,
    });
    const how = { minDecided, dialect, isOneHistory: true, scriptOf: () => null };
    const shown = part.filter((event) => 'script' in event && failing.has(event.script));
    this.#shown = [...(this.#shown.length === 0 ? part.slice(0, 1) : this.#shown), ...shown];
    this.#report = this.#report === null ? report : mergeReports([this.#report, report], how);
  }

  /** @param endpoints their addresses: with several, each failure names its own */
  finished(endpoints: readonly string[], hints: readonly Hint[]): FinishedLive | null {
    if (this.#report === null) return null;
    const [first = `${this.#settings.upstream}/v2/ENDPOINT_ID`] = endpoints;
    const target = { ...this.#report.target, replayArguments: [first] };
    const requirements =
      endpoints.length < 2
        ? this.#report.requirements
        : this.#report.requirements.map((one) => this.#addressed(one));
    const redactor = createRedactor([...this.#secrets]);
    return {
      report: redactor.value({ ...this.#report, target, requirements, hints }),
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
