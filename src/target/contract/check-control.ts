/**
 * Checks that a server keeps the contract of test control, version 1 (docs/contracts/test-control.md): each
 * sentence that can be seen from outside, on endpoints of its own, with jobs of the scripted worker.
 */
import { CLOCK_CHECKS } from './clock-checks.js';
import { ContractClient, member, type Answer, type ContractTarget } from './control-call.js';
import { ENDPOINT_CHECKS } from './endpoint-checks.js';
import { ENDPOINT_CLOCK_CHECKS } from './endpoint-clock-checks.js';
import { Mismatch, type Feature } from './expectations.js';

const CHECKS = [...ENDPOINT_CHECKS, ...CLOCK_CHECKS, ...ENDPOINT_CLOCK_CHECKS];

export interface ContractResult {
  /** What the contract says, as one sentence. */
  readonly sentence: string;
  /** The rule or the row of the contract. */
  readonly rule: string;
  readonly verdict: 'passed' | 'failed' | 'skipped';
  /** What was sent, expected and answered; null where it passed. */
  readonly detail: string | null;
}

/** The answer of `GET CONTROL`, and each sentence in the order of the contract. */
export interface ContractReport {
  readonly hello: Answer;
  readonly results: readonly ContractResult[];
}

/** Runs every check. Creates the endpoints `runproof-contract-1` … and deletes them. */
export async function checkControl(target: ContractTarget): Promise<ContractReport> {
  const client = await ContractClient.of(target);
  try {
    return await checkedBy(client);
  } finally {
    await client.close();
  }
}

async function checkedBy(client: ContractClient): Promise<ContractReport> {
  const hello = await client.control('GET', '');
  const offered = member(hello, 'features');
  const lacks = (feature: Feature): boolean => !Array.isArray(offered) || !offered.includes(feature);
  const results: ContractResult[] = [];
  if (hello.status === 0 || hello.status === 401) return { hello, results };
  for (const [index, { rule, sentence, needs, run }] of CHECKS.entries()) {
    const missing = needs.filter(lacks);
    if (missing.length > 0) {
      const detail = `the server does not offer the feature ${missing.join(' and ')}`;
      results.push({ rule, sentence, verdict: 'skipped', detail });
      continue;
    }
    const endpoint = `runproof-contract-${index + 1}`;
    try {
      await run(client, endpoint);
      results.push({ rule, sentence, verdict: 'passed', detail: null });
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
      results.push({ rule, sentence, verdict: 'failed', detail: error.message });
    } finally {
      if (!lacks('endpoints')) await client.control('DELETE', `/endpoints/${endpoint}`);
    }
  }
  return { hello, results };
}
