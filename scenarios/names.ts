import exercises from './exercises.json' with { type: 'json' };

/** The name of every scenario, for what need not load the scenarios. */
export const SCENARIO_NAMES: readonly string[] = Object.keys(exercises);
