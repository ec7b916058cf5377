import type { Script } from '../scenario/script.js';
import { type Breach, type FoundBreach, type Laboratory } from './batch.js';
import { shrinkScript } from './shrink/shrink-script.js';
import { plainWorld, type World } from './world.js';

export interface ShrunkBreach {
  readonly script: Script;
  readonly world: World;
  /** Of the shrunk script alone: first the one that it was shrunk for. */
  readonly breaches: readonly Breach[];
  /** False when the script breaks the requirement only beside the others that it was played with. */
  readonly alone: boolean;
}

/**
 * The smallest script found that breaks the same requirement, or else what it breaks without those it was played with, in
 * the plainest world that will do. With a `healthy`
 * laboratory beside it, the requirement is still decided there, if it was at first: so a replay can tell FIXED.
 */
export function shrinkBreach(
  found: Pick<FoundBreach, 'requirement' | 'script' | 'world'>,
  laboratory: Laboratory,
  options: { readonly trialsMax?: number; readonly healthy?: Laboratory } = {},
): ShrunkBreach {
  const { trialsMax, healthy } = options;
  const { requirement } = found;
  const breachesOf = (script: Script, world: World): readonly Breach[] =>
    laboratory.judge(laboratory.play([script], world), world).breaches;
  const fails = (script: Script, world: World): boolean =>
    breachesOf(script, world).some((breach) => breach.requirement === requirement);
  const world = plainerWorlds(found.world).find((candidate) => fails(found.script, candidate));
  if (world === undefined) {
    // What a refusal or a count broke is settled by all scripts of a run: alone it may be told as something else.
    const [other] = breachesOf(found.script, found.world);
    return other === undefined
      ? { script: found.script, world: found.world, breaches: [], alone: false }
      : shrinkBreach({ ...found, requirement: other.requirement }, laboratory, options);
  }
  const decides = (script: Script): boolean =>
    healthy === undefined ||
    healthy.judge(healthy.play([script], world), world).decided.includes(requirement);
  const staysDecided = healthy !== undefined && decides(found.script);
  const stillFails = (script: Script): boolean => fails(script, world) && (!staysDecided || decides(script));
  const shrunk = shrinkScript(found.script, stillFails, trialsMax);
  const script = { ...shrunk, title: titleOf(shrunk) };
  const breaches = breachesOf(script, world);
  const first = breaches.filter((breach) => breach.requirement === requirement);
  return {
    script,
    world,
    alone: true,
    breaches: [...first, ...breaches.filter((breach) => !first.includes(breach))],
  };
}

/** Without everything, then without one thing each, then as it is. */
function plainerWorlds(world: World): readonly World[] {
  const plain = plainWorld(world.seed);
  const { requestMs: _request, replyMs: _reply, ...near } = world;
  const { timersLateMs: _timers, dispatchMs: _dispatch, workersLateMs: _workers, ...inTime } = world;
  const { scaling: _scaling, ...staffed } = world;
  return [
    plain,
    { ...plain, graceMs: 0 },
    { ...plain, variant: world.variant },
    { ...world, mishaps: [] },
    { ...world, variant: null },
    near,
    inTime,
    staffed,
    world,
  ];
}

/** What happens, in one line: `run a, purge-queue, status a`. */
export function titleOf({ steps }: Script): string {
  const words = steps.map((step) => {
    if (step.do === 'raw') return `${step.illegal} ${step.method} ${step.path}`;
    const job = 'job' in step && typeof step.job === 'string' ? ` ${step.job}` : '';
    return `${'illegal' in step && step.illegal !== undefined ? `${step.illegal} ` : ''}${step.do}${job}`;
  });
  const told = words.length > 8 ? [...words.slice(0, 7), `and ${words.length - 7} more`] : words;
  return told.join(', ');
}
