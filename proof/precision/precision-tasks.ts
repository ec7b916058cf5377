/** Which faulty endpoints are tried for precision, and with which scenarios. */
import { named } from '../../scenarios/index.js';
import { FAULTS } from '../../specs/naive/faults/wrongs.js';
import { MUTANTS } from '../../src/mutants/index.js';
import { brokenBy } from '../breaks/index.js';
import { isBurst } from '../heavy-scenarios.js';
import { chosen } from '../matches-selection.js';
import type { FaultToPlay } from '../trials/fault-run.js';
import type { FaultyServer } from '../trials/faulty-server.js';
import type { PrecisionWish } from '../precision.js';
import type { PrecisionTask, Selection } from './precision-trial.js';
import type { Wish } from '../proof-options.js';

export interface Tried {
  readonly server: FaultyServer;
  /** Null: without a fault. */
  readonly fault: string | null;
  /** Of the sentence that it breaks first. */
  readonly section: string;
}

type HowTried = Pick<PrecisionWish, 'mode' | 'profile' | 'bursts' | 'focus'>;

/** Endpoints to be tried; those without a fault first. */
export function triedIn(
  { servers, mode }: Pick<PrecisionWish, 'servers' | 'mode'>,
  only: readonly string[] = [],
): readonly Tried[] {
  const all: Tried[] = [
    ...FAULTS.filter(({ legal }) => legal === undefined).map(({ id, section }): Tried => ({
      server: 'naive',
      fault: id,
      section,
    })),
    ...MUTANTS.map(({ id, sections }): Tried => ({ server: 'mutant', fault: id, section: sections[0]! })),
  ];
  const wanted = all
    .filter(({ server }) => servers.includes(server) && (mode !== 'simulator' || server === 'mutant'))
    .filter(({ fault }) => chosen(fault!, only));
  const healthy = servers
    .filter((server) => mode !== 'simulator' || server === 'mutant')
    .map((server): Tried => ({ server, fault: null, section: '' }));
  return [...(only.length === 0 || only.includes('none') ? healthy : []), ...wanted];
}

/** @param historyOf where what is played with these scenarios is kept; null: nowhere */
export function taskOf(
  one: Tried,
  { seed, precision: how }: Pick<Wish, 'seed'> & { readonly precision: HowTried },
  historyOf: (task: FaultToPlay, scenarios: readonly string[] | null) => string | null,
): PrecisionTask {
  const { mode, profile, focus } = how;
  const task: FaultToPlay = { server: one.server, fault: one.fault, mode, profile, seed };
  const selection = (scenarios: readonly string[] | null): Selection => {
    return { scenarios, history: historyOf(task, scenarios) };
  };
  return {
    kind: 'precision',
    ...task,
    selection: selection(scenariosFor(one, how)),
    // A scenario exercises what it is written for; others may show the fault as well.
    ...(focus && mode !== 'real' ? { widened: selection(scenariosFor(one, { ...how, focus: false })) } : {}),
    playOnly: false,
  };
}

/** What scenarios other than bursts exercise. */
const elsewhere = new Set(named.flatMap(({ name, exercises }) => (isBurst(name) ? [] : exercises)));

/** Null: all. */
function scenariosFor({ fault, section }: Tried, { bursts, focus }: HowTried): readonly string[] | null {
  if (fault === null) return null;
  const broken = brokenBy(fault);
  const wanted = named.filter(({ name, exercises }) => {
    const shows = exercises.some((id) => broken.has(id));
    // Bursts that alone show something of the fault are worth their time.
    const isWorth =
      bursts ||
      section === '8' ||
      !isBurst(name) ||
      exercises.some((id) => broken.has(id) && !elsewhere.has(id));
    return isWorth && (!focus || shows);
  });
  return wanted.length === named.length ? null : wanted.map(({ name }) => name);
}
