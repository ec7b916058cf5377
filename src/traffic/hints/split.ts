/** Whether an outcome, such as a refusal, goes with a property of submissions: nearly all with it have it, and hardly any other. */
import { getOrMake } from '../../util/maps.js';
import { Share } from './hint.js';

/** Further properties are not looked at. */
const PROPERTIES_MAX = 300;
/** So few, or less clearly, may be chance: there are many properties. */
const WITH_MIN = 5;
const WITH_SHARE = 0.9;
const OTHERS_MIN = 20;
const OTHERS_SHARE = 0.01;

export interface StandsOut {
  /** They always occur together. */
  readonly properties: readonly string[];
  /** False: those without them have the outcome. */
  readonly has: boolean;
  readonly count: number;
  readonly of: number;
  readonly others: number;
  readonly ofOthers: number;
  readonly call: number;
}

interface Side {
  readonly inside: Share;
  /** The first without the property that has the outcome; null: none has. */
  outside: number | null;
}

export class Split {
  readonly all = new Share();
  readonly #sides = new Map<string, Side>();

  see(properties: readonly string[], happened: boolean, call: number): void {
    for (const property of properties)
      if (this.#sides.size < PROPERTIES_MAX || this.#sides.has(property))
        // Those before the first that has the property have it not.
        getOrMake(this.#sides, property, () => ({ inside: new Share(), outside: this.all.first })).inside.see(
          happened,
          call,
        );
    this.all.see(happened, call);
    if (!happened) return;
    for (const [property, side] of this.#sides) if (!properties.includes(property)) side.outside ??= call;
  }

  /** The clearest; null: the outcome goes with nothing. */
  get clearest(): StandsOut | null {
    const { count, of } = this.all;
    const found: StandsOut[] = [];
    for (const [property, { inside: one, outside: first }] of this.#sides) {
      const inside = {
        properties: [property],
        has: true,
        count: one.count,
        of: one.of,
        others: count - one.count,
        ofOthers: of - one.of,
        call: one.first ?? -1,
      };
      const outside = {
        ...inside,
        has: false,
        count: inside.others,
        of: inside.ofOthers,
        others: one.count,
        ofOthers: one.of,
        call: first ?? -1,
      };
      found.push(...[inside, outside].filter(standsOut));
    }
    const [clearest] = found.sort(
      (left, right) =>
        right.count - left.count ||
        left.of - right.of ||
        left.others - right.others ||
        Number(right.has) - Number(left.has),
    );
    if (clearest === undefined) return null;
    const same = found.filter(
      ({ has, count: times, of: all, others }) =>
        has === clearest.has && times === clearest.count && all === clearest.of && others === clearest.others,
    );
    return { ...clearest, properties: same.flatMap(({ properties }) => properties) };
  }
}

const standsOut = ({ count, of, others, ofOthers }: StandsOut): boolean =>
  count >= WITH_MIN &&
  count >= WITH_SHARE * of &&
  ofOthers >= OTHERS_MIN &&
  others <= OTHERS_SHARE * ofOthers;
