/**
 * Every decision of the document as a small named rule. The machine decides nothing by itself: it asks these.
 * A reading of an open question is chosen here; a known fault is one of these replaced
 * (`{ ...rules, mayRetry: () => true }`).
 */
import type { Edition } from '../spec/types.js';
import { httpRules } from './rules/http.js';
import type { Is } from './rules/is.js';
import { jobRules } from './rules/jobs.js';
import { rateRules } from './rules/rates.js';
import { replyRules } from './rules/replies.js';
import { timeRules } from './rules/time.js';
import { webhookRules } from './rules/webhooks.js';

/** Question id → reading id. */
export interface Dialect {
  readonly [question: string]: string;
}

function makeRules(is: Is, runpod: boolean) {
  return {
    ...timeRules(is),
    ...jobRules(is, runpod),
    ...replyRules(is, runpod),
    ...httpRules(is, runpod),
    ...rateRules(is),
    ...webhookRules(is, runpod),
    /** Edition `runpod`: `/status-sync/<job_id>?wait=` exists. */
    hasStatusSync: (): boolean => runpod,
  };
}

export type Rules = Readonly<ReturnType<typeof makeRules>>;

/** The rules of an edition, with the open questions read as the dialect says. */
export function rulesFor(dialect: Dialect, edition: Edition): Rules {
  return makeRules((question, reading) => dialect[question] === reading, edition === 'runpod');
}
