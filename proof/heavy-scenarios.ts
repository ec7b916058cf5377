/** Scenarios with thousands of calls or bodies of many megabytes: half of all work, of no use outside section 8. */
export function isBurst(scenario: string): boolean {
  return BURSTS.test(scenario);
}

const BURSTS =
  /^8\/(concurrency|megabytes|oversized|limits-that-are-not-shown|rate-of-(run|runsync|status|stream|openai|cancel-)).*|\/payload/;
