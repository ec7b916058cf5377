/** What recorded traffic says of clients: plain data, and the lines of a report. It changes no verdict on the service. */
import type { SeenClient } from '../../client/seen-clients.js';
import type { ClientRule } from '../../client/rule.js';
import { pluralize } from '../formatting.js';
import type { Report } from '../report.js';

/** What a client did, as far as its calls show it. @public */
export interface ReportedClient {
  /** By which it is told apart: its program, machine and key, or the name that the user gives it. Never the key itself. */
  readonly client: string;
  readonly calls: number;
  /** Jobs that it has created. */
  readonly jobs: number;
  /** The rules that it broke, the gravest first. */
  readonly violated: readonly ViolatedRule[];
  /** Ids of the rules that it kept wherever its calls show it. */
  readonly kept: readonly string[];
  /** The rules of which its calls say nothing, and why. */
  readonly open: readonly { readonly rule: string; readonly why: string }[];
}

/** A rule that a client broke. @public */
export interface ViolatedRule {
  /** Its id, such as `client/poll-pause`. */
  readonly rule: string;
  readonly level: 'must' | 'should';
  /** The sentence that is not true of the client. */
  readonly text: string;
  readonly times: number;
  /** The first few. */
  readonly violations: readonly { readonly text: string; readonly calls: readonly (number | string)[] }[];
}

const RANKS = ['money', 'endless', 'wrong result', 'must', 'should'] as const;

const rankOf = ({ harm, level }: ClientRule): number => RANKS.indexOf(harm ?? level);

/** Those that broke a rule first, the gravest of them before the others. */
export function reportedClients(seen: readonly SeenClient[]): readonly ReportedClient[] {
  const found = seen.map(({ name, calls, jobs, verdicts }) => {
    const broken = verdicts
      .filter(({ state }) => state === 'violated')
      .sort((one, other) => rankOf(one.rule) - rankOf(other.rule));
    const client: ReportedClient = {
      ...{ client: name, calls, jobs },
      violated: broken.map(({ rule: { id, level, text }, times, violations }) => ({
        ...{ rule: id, level, text, times, violations },
      })),
      kept: verdicts.filter(({ state }) => state === 'kept').map(({ rule }) => rule.id),
      open: verdicts.flatMap(({ rule, state, why }) =>
        state === 'open' ? [{ rule: rule.id, why: why ?? '' }] : [],
      ),
    };
    return { client, rank: broken[0] === undefined ? RANKS.length : rankOf(broken[0].rule) };
  });
  return found.sort((one, other) => one.rank - other.rank).map(({ client }) => client);
}

/** The title of `clientLines`. */
export const CLIENTS_TITLE = 'Clients: what their calls show, apart from the verdict on the service';

/** A line for each client, and below it one for each rule that it broke; none where clients were not judged. */
export const clientLines = ({ clients = [] }: Pick<Report, 'clients'>): readonly string[] =>
  clients.flatMap((client) => [clientLine(client), ...client.violated.map(violationLine)]);

export function clientLine({ client, calls, jobs, violated, kept }: ReportedClient): string {
  const decided = `${violated.length + kept.length} rules decided`;
  const broken = violated.length === 0 ? 'none broken' : `${violated.length} broken`;
  return `${client}: ${pluralize(calls, 'call')}, ${pluralize(jobs, 'job')}; ${decided}, ${broken}`;
}

/** `report.json` has more. */
const CALLS_SHOWN_MAX = 2;

export function violationLine({ rule, times, violations }: ViolatedRule): string {
  const [first] = violations;
  const more = times > 1 ? `, and ${times - 1} more` : '';
  const shown = first?.calls.slice(0, CALLS_SHOWN_MAX).join(', ') ?? '';
  const where = shown === '' ? '' : ` (call ${shown}${first!.calls.length > CALLS_SHOWN_MAX ? ', …' : ''})`;
  return `  ${rule}: ${first?.text ?? ''}${where}${more}`;
}
