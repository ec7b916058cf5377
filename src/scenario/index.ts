/** Everything for writing scenarios, and for drawing, saving and reading their scripts. */
export { arb, type Arb } from './arbitraries/index.js';
export { drawOrLeaveOut, drawScript, scriptsOf } from './draw.js';
export { exercisedOn } from './exercised.js';
export { namedScenarios, scenariosOf, type ScenarioFile } from './family.js';
export { expectedMs } from './expected.js';
export { ExceedsLimits, assertWithinLimits, assertRealTime, type Lack } from './exceeds-limits.js';
export { parseScript, ScriptError } from './parse.js';
export {
  scenario,
  type NamedScenario,
  type OwnDefinition,
  type Scenario,
  type ScenarioDefinition,
  type ScenarioFamily,
} from './scenario.js';
export { scenarioOf } from './scenario-of.js';
export { steps, type StepTree, type Steps } from './steps.js';
export type { Limits, Script, Step } from './script.js';
