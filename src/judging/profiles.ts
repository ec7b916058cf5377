/** The longest single wait of a profile, in ms: enough for a retention of 1 or 30 minutes and its margin. */
export const PROFILE_WAIT_MS = { quick: 70_000, standard: 105_000, full: 31 * 60_000 } as const;

export type Profile = keyof typeof PROFILE_WAIT_MS;
