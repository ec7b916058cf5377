import type { NamedScenario } from '../src/scenario/index.js';

export const named: readonly NamedScenario[] = [];
