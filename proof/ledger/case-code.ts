/**
 * The code that the answer of a case depends on. What is played depends on the endpoint, on what runs scripts and on the scenarios
 * that are wanted, each with its files; what is judged, on the oracle and on the lists of what a fault breaks. So a change of one
 * scenario or of one fault leaves the histories of the others as they are, and one of the oracle leaves all of them.
 */
import { posix } from 'node:path';
import { named } from '../../scenarios/index.js';
import { conformer, type VariantTask } from '../trials/variant-trial.js';
import { brokenBy, whySilent } from '../breaks/index.js';
import type { FaultToPlay } from '../trials/fault-run.js';
import { digestOf, type Code } from './code.js';

/** Not of what plays: it judges or reports, or it is counted case by case. */
const NOT_PLAYED =
  /^(scenarios|src\/(oracle|report|mutants|spec\/(requirements|questions))|specs\/naive\/faults)\//;
/** Files that are loaded with the others and do nothing there. Scripts are simulated beforehand where time is real. */
const IDLE = {
  'simulator mutant': /^(specs\/naive|src\/(server|target\/http))\//,
  'control mutant': /^specs\/naive\//,
  'real mutant': /^specs\/naive\//,
  'control naive': /^src\/(core|sim|server|worker)\//,
  'real naive': /^src\/server\//,
} as const;

/** Of what is loaded with what plays a variant. */
const JUDGES: ReadonlySet<string> = new Set(['proof/trials/left-open.ts', 'specs/variants/judge-variant.ts']);
const LEGAL = 'specs/naive/legal-variants.ts';

const FAULTS = { naive: 'specs/naive/faults', mutant: 'src/mutants' } as const;

export class CaseCode {
  readonly #code: Code;
  readonly #memo = new Map<string, string>();
  readonly #ids = new Map<string, ReadonlyMap<string, readonly string[]>>();

  constructor(code: Code) {
    this.#code = code;
  }

  /** @param scenarios names; null: all */
  faultPlay(
    { server, fault, mode, profile, seed }: FaultToPlay,
    scenarios: readonly string[] | null,
  ): string {
    const idle = IDLE[`${mode} ${server}` as keyof typeof IDLE];
    const playing = this.#once(`${mode} ${server}`, () =>
      this.#reached('proof/trials/fault-run.ts', (path) => !NOT_PLAYED.test(path) && !idle.test(path)),
    );
    const own = this.#ofFault(FAULTS[server], fault);
    const length = mode === 'real' ? profile : '';
    const wanted = (scenarios ?? named.map(({ name }) => name)).map((name) => this.#ofScenario(name));
    return digestOf(playing, own, mode, fault ?? '', length, String(seed), ...wanted);
  }

  faultJudge(fault: string | null): string {
    const lists = fault === null ? '' : JSON.stringify([[...brokenBy(fault)].sort(), whySilent(fault)]);
    return digestOf(this.#judging(), lists);
  }

  variantPlay({ name, clock, seed, combined, runs, scenarios }: Omit<VariantTask, 'history'>): string {
    const isNaive = name.startsWith('naive ');
    const idle = isNaive
      ? IDLE['control naive']
      : IDLE[clock === 'simulator' ? 'simulator mutant' : 'control mutant'];
    const playing = this.#once(`variant ${clock} ${isNaive}`, () =>
      this.#reached(
        'proof/trials/variant-trial.ts',
        // The readings of questions are drawn by their numbers.
        (path) => !JUDGES.has(path) && !NOT_PLAYED.test(path) && (!idle.test(path) || path === LEGAL),
      ),
    );
    const [, advised = null] = /^advisable (.*)$/.exec(name) ?? [];
    const own = isNaive ? '' : this.#variants() + this.#ofFault(FAULTS.mutant, advised);
    const all = this.#once('scenarios', () => digestOf(...named.map((one) => this.#ofScenario(one.name))));
    const how = JSON.stringify([name, clock, seed, combined, runs, scenarios]);
    return digestOf(playing, own, all, how);
  }

  variantJudge(task: VariantTask): string {
    const { advised } = conformer(task);
    const own = this.#code.digest([...JUDGES]);
    return digestOf(this.#judging(), own, advised === 'any' ? advised : [...advised].sort().join(' '));
  }

  /** Of a module and all that it imports, but of the faults only the readings, and of what is given beside it. */
  mixed(root: string, own: string): string {
    const isPart = (path: string): boolean => !/^(src\/mutants|specs\/naive\/faults)\//.test(path);
    return digestOf(
      this.#once(root, () => this.#reached(root, isPart)),
      own,
    );
  }

  mutant(id: string | null): string {
    return this.#ofFault(FAULTS.mutant, id);
  }

  folder(path: string): string {
    return this.#once(`folder ${path}`, () => this.#code.digest(this.#code.in(path)));
  }

  #variants(): string {
    return this.#once('variants', () =>
      this.#reached('src/mutants/variants.ts', (path) => path.startsWith('src/mutants/')),
    );
  }

  #judging(): string {
    return this.#once('judging', () =>
      this.#reached(
        'proof/trials/fault-verdict.ts',
        (path) => !/^(scenarios|src\/(mutants|server|target\/http))\//.test(path),
      ),
    );
  }

  #reached(root: string, isPart: (path: string) => boolean): string {
    return this.#code.digest(this.#code.reached([root], isPart));
  }

  /** Of the files of the folder that name it, with what these import there; of all files where none names it. */
  #ofFault(folder: string, fault: string | null): string {
    if (fault === null) return '';
    return this.#once(`${folder} ${fault}`, () => {
      const naming = this.#idsIn(folder).get(fault) ?? this.#code.in(folder);
      return this.#code.digest(this.#code.reached(naming, (path) => path.startsWith(`${folder}/`)));
    });
  }

  /** By what may be an id, in quotes or the name of a member, the files that have it. */
  #idsIn(folder: string): ReadonlyMap<string, readonly string[]> {
    const known = this.#ids.get(folder);
    if (known !== undefined) return known;
    const found = new Map<string, string[]>();
    for (const path of this.#code.in(folder)) {
      const words = this.#code.textOf(path).matchAll(/'([a-z0-9-]+)'|^\s*([a-z0-9]+): \{/gm);
      for (const id of new Set([...words].map(([, quoted, member]) => quoted ?? member!)))
        found.set(id, [...(found.get(id) ?? []), path]);
    }
    this.#ids.set(folder, found);
    return found;
  }

  /** Of its file, or of the files of its section in which there are several. */
  #ofScenario(name: string): string {
    return this.#once(`scenario ${name}`, () => {
      const path = `scenarios/${name}.ts`;
      const section = this.#code.in(posix.dirname(path));
      const roots = section.includes(path)
        ? [path]
        : section.filter((one) => this.#code.textOf(one).includes('scenario.each('));
      const { needs, exercises } = named.find((one) => one.name === name)!;
      const files = this.#code.reached(roots, (one) => one.startsWith('scenarios/'));
      return digestOf(this.#code.digest(files), name, needs.join(' '), exercises.join(' '));
    });
  }

  #once(key: string, make: () => string): string {
    const known = this.#memo.get(key) ?? make();
    this.#memo.set(key, known);
    return known;
  }
}
