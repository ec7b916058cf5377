/** How much of the document a run has checked, and what would let it check more. */
import type { Verdict } from '../oracle/ledger/findings.js';
import { missingOf } from '../spec/capability-words.js';
import { REQUIREMENTS } from '../spec/index.js';
import type { Capability } from '../spec/types.js';
import type { Report, ReportRequirement } from './report.js';

/** A controlled clock, and an endpoint of its own for each script: no wait is too long, and there are no other users. */
const CONTROL = '--control';

/** What a user can offer, and the capabilities that come with it. */
const OFFERS: readonly { readonly offer: string; readonly brings: readonly Capability[] }[] = [
  {
    offer: CONTROL,
    brings: ['test-control', 'second-endpoint', 'dedicated', 'load-allowed', 'worker-count-known'],
  },
  { offer: '--dedicated', brings: ['dedicated', 'load-allowed'] },
  { offer: 'a scripted worker', brings: ['scripted-worker'] },
  { offer: '--webhook-url', brings: ['webhook-reachable'] },
  { offer: '--unpermitted-api-key', brings: ['unpermitted-key'] },
  { offer: '--other-endpoint', brings: ['second-endpoint'] },
  { offer: '--other-api-key', brings: ['other-user-key'] },
];

const NEEDS: ReadonlyMap<string, readonly Capability[]> = new Map(
  REQUIREMENTS.map(({ id, needs }) => [id, needs]),
);
/** The beginning of the reason of a requirement whose wait the profile does not allow. */
const LONG_WAIT = 'needs a wait of';

/** What was checked of the musts that apply to the target. */
export interface Checked {
  readonly musts: number;
  readonly checked: number;
  /** How many of the musts could have been decided, here or with what a user can offer. */
  readonly applying: number;
  /** How many of these were not. */
  readonly open: number;
  /** By what more could be checked, the most first: how many musts each would add by itself. */
  readonly more: readonly { readonly offer: string; readonly musts: number }[];
}

type Judged = Pick<ReportRequirement, 'id' | 'level' | 'verdict' | 'selected' | 'openByReading'> & {
  readonly reason?: string | null;
};

/** What a target and its user offer. */
export type Offering = Pick<Report['target'], 'capabilities' | 'isRecorded'> & {
  readonly kind?: Report['target']['kind'];
};

const UNTESTABLE: ReadonlySet<string> = new Set(
  REQUIREMENTS.flatMap(({ id, untestable }) => (untestable === undefined ? [] : [id])),
);

/**
 * It stays open whatever a user offers: no observation decides it anywhere, the target has workers at any time, its address
 * has no endpoint in it, or it follows a reading that the document allows.
 */
function isOpenAnyhow({ id, verdict, openByReading }: Judged, { capabilities }: Offering): boolean {
  if (openByReading === true || UNTESTABLE.has(id)) return true;
  if (verdict !== 'untestable') return false;
  const missing = missingOf(NEEDS.get(id) ?? [], capabilities);
  const isOfTarget = (need: Capability): boolean =>
    need === 'endpoint-in-path' || (need === 'scales-from-zero' && capabilities.includes('dedicated'));
  return missing.length > 0 && missing.every(isOfTarget);
}

const isChecked = ({ verdict }: { readonly verdict: Verdict }): boolean =>
  verdict === 'pass' || verdict === 'fail';

/** What the options of `check` would add to recorded traffic, or to the run of a client, is not said. */
export function checkedOf(requirements: readonly Judged[], target: Offering): Checked {
  const { capabilities, isRecorded, kind } = target;
  const musts = requirements.filter(
    ({ level, verdict, selected }) => level === 'must' && verdict !== 'not-applicable' && selected !== false,
  );
  const applying = musts.filter((one) => isChecked(one) || !isOpenAnyhow(one, target));
  const lacking = applying
    .filter(({ verdict }) => verdict === 'untestable')
    .map(({ id }) => missingOf(NEEDS.get(id) ?? [], capabilities))
    .filter((missing) => missing.length > 0);
  const open = musts.filter((one) => !isChecked(one) && one.verdict !== 'untestable');
  const waiting = open.filter(({ reason }) => reason?.startsWith(LONG_WAIT) === true).length;
  const byControl = capabilities.includes('test-control') ? 0 : open.length;
  const more = [
    { offer: 'a longer --profile', musts: waiting },
    ...OFFERS.map(({ offer, brings }) => ({
      offer,
      musts:
        lacking.filter((missing) => missing.every((need) => brings.includes(need))).length +
        (offer === CONTROL ? byControl : 0),
    })),
  ];
  return {
    musts: musts.length,
    checked: musts.filter(isChecked).length,
    applying: applying.length,
    open: applying.filter((one) => !isChecked(one)).length,
    more: (isRecorded === true || kind === 'client' ? [] : more)
      .filter((one) => one.musts > 0)
      .sort((a, b) => b.musts - a.musts),
  };
}

/** `--control would add 92, --dedicated 30`; empty if nothing would. */
export function moreText({ more }: Checked): string {
  return more
    .map(({ offer, musts }, index) => `${offer}${index === 0 ? ' would add' : ''} ${musts}`)
    .join(', ');
}
