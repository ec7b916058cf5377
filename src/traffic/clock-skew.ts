/** The clocks of machines that keep them right differ by less, ms. */
export const CLOCK_SKEW_MS = 1_000;
