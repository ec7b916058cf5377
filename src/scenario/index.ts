/** Everything for writing scenarios, and for drawing, saving and reading their scripts. */
export { arb, type Arb } from './arbitraries/index.js';
export { drawOrLeaveOut, scriptsOf } from './draw.js';
export { scenariosOf, type ScenarioFile } from './family.js';
export { assertRealTime, assertWithinLimits, type Lack } from './exceeds-limits.js';
export { parseScript, ScriptError } from './parse.js';
export { scenario, type NamedScenario, type Scenario } from './scenario.js';
export { steps, type StepTree, type Steps } from './steps.js';
export type { Limits, Script, Step } from './script.js';
