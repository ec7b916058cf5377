/** A service may have several addresses, such as an internal one: the same jobs answer at all of them. */
import { replyIn, type Exchange } from '../history/exchange.js';
import { isAnsweredByEndpoint, isSubmission, jobIn, type Call } from './calls.js';

/** What stands before the operations at which a job was seen. */
interface SeenAt {
  readonly submitted: Set<string>;
  readonly answered: Set<string>;
}

export class Addresses {
  readonly #jobs = new Map<string, SeenAt>();

  see(call: Call): void {
    const id = jobIn(call);
    if (id === null || !isAnsweredByEndpoint(call) || idIn(call) !== id) return;
    const seen = this.#jobs.get(id) ?? { submitted: new Set(), answered: new Set() };
    this.#jobs.set(id, seen);
    seen.answered.add(call.names.base);
    if (isSubmission(call)) seen.submitted.add(call.names.base);
  }

  knows(id: string): boolean {
    return this.#jobs.has(id);
  }

  /** Addresses of one endpoint each. */
  get joined(): readonly (readonly string[])[] {
    const groups: Set<string>[] = [];
    for (const [id, { submitted, answered }] of this.#jobs) {
      if (answered.size === 1 || submitted.size > 1 || !isUnique(id)) continue;
      const met = groups.filter((group) => [...answered].some((base) => group.has(base)));
      for (const group of met) groups.splice(groups.indexOf(group), 1);
      groups.push(new Set([...met, answered].flatMap((group) => [...group])));
    }
    return groups.map((group) => [...group]);
  }

  /**
   * Whether two addresses may be of one endpoint, and nothing shows that they are, or are not: they have its name. Two services
   * may have given one name to two endpoints; they have if both gave out the same id.
   *
   * @param endpoints their names by their addresses; those known to be one have one name
   * @param asked all addresses that were called
   */
  areDoubtful(endpoints: ReadonlyMap<string, string>, asked: readonly string[]): boolean {
    const alike = new Map<string, string[]>();
    for (const base of asked) {
      const end = base.slice(base.lastIndexOf('/'));
      alike.set(end, [...(alike.get(end) ?? []), base]);
    }
    const nameOf = (base: string): string => endpoints.get(base) ?? base;
    return [...alike.values()].some((bases) =>
      bases.some((base) =>
        bases.some((other) => nameOf(other) !== nameOf(base) && !this.#areApart(base, other)),
      ),
    );
  }

  #areApart(base: string, other: string): boolean {
    return [...this.#jobs.values()].some(({ submitted }) => submitted.has(base) && submitted.has(other));
  }
}

/** The job of the answer. */
export const idIn = (exchange: Exchange): unknown => (replyIn(exchange) as { id?: unknown } | undefined)?.id;

/** No other service makes this id, as it might `17` or `job-17`. */
const isUnique = (id: string): boolean => id.length >= 12 && !/^\D*\d*\D*$/u.test(id);

/** The id in the document's address, or all of another one. */
export function nameOf(base: string, known: ReadonlyMap<string, string>): string {
  const id = /\/v2\/([^/]+)$/u.exec(base)?.[1];
  return id === undefined || [...known.values()].includes(id) ? base : id;
}
