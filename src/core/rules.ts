/**
 * Every decision of the document as a small named rule; the rest of the core decides nothing by itself. A
 * reading of an open question selects what a rule does. A mutant replaces one rule: `{ ...rules, mayRetry: ()
 * => true }`.
 */
import type { Dialect, Edition } from '../spec/index.js';
import { readingsOf } from './editions.js';
import { healthRules } from './rules/health.js';
import { httpRules } from './rules/http.js';
import { jobRules } from './rules/jobs.js';
import { rateRules } from './rules/rates.js';
import type { ReadingOf } from './rules/reads.js';
import { recordRules } from './rules/records.js';
import { streamRules } from './rules/streams.js';
import { submissionRules } from './rules/submissions.js';
import { timeRules } from './rules/time.js';
import { waitRules } from './rules/waits.js';
import { webhookRules } from './rules/webhooks.js';
import { workerRules } from './rules/workers.js';

export type { Dialect };

function makeRules(reads: ReadingOf, runpod: boolean) {
  return {
    ...timeRules(reads),
    ...jobRules(reads, runpod),
    ...healthRules(reads),
    ...recordRules(reads, runpod),
    ...streamRules(reads),
    ...waitRules(reads),
    ...submissionRules(reads),
    ...httpRules(reads, runpod),
    ...rateRules(reads),
    ...webhookRules(reads, runpod),
    ...workerRules(reads, runpod),
  };
}

/** The rules of an endpoint: each decides one thing that the document asks for. @internal */
export type Rules = Readonly<ReturnType<typeof makeRules>>;

/**
 * The rules of an edition.
 * @param dialect a reading for some of the open questions; for the others, the edition's or the first one is
 * used
 */
export function rulesFor(dialect: Dialect, edition: Edition): Rules {
  if (Object.keys(dialect).length > 0) return rulesOf(dialect, edition);
  // Every simulated script asks for them.
  let known = usual.get(edition);
  if (known === undefined) usual.set(edition, (known = Object.freeze(rulesOf(dialect, edition))));
  return known;
}

const usual = new Map<Edition, Rules>();

function rulesOf(dialect: Dialect, edition: Edition): Rules {
  const readings = readingsOf(dialect, edition);
  return makeRules((question) => readings[question] as never, edition === 'runpod');
}
