/** The files that `npm run generate` writes, each checked in and held by a spec. */
import { openApi } from './openapi.js';
import { scenarioFiles, scenarioIndex } from './scenario-index.js';

export interface GeneratedFile {
  /** Below the root of the repository. */
  readonly path: string;
  readonly text: () => Promise<string> | string;
}

/** It reads most of the sources, so whoever wants the other one alone does not load it. */
const page = async (): Promise<string> =>
  (await import('../../requirements/requirements-page.js')).requirementsPage();

const exercises = async (): Promise<string> =>
  (await import('./scenario-exercises.js')).exercisesOfScenarios();

const api = async (): Promise<string> => (await import('./api-page.js')).apiPage();

const readme = async (): Promise<string> => (await import('../../../proof/ledger/readme.js')).readmeText();

const clients = async (): Promise<string> =>
  (await import('../../../proof/known-clients/page.js')).clientsPage();

/** It loads the table of all options. */
const config = async (): Promise<string> => (await import('./config-schema.js')).configSchema();

const script = (folder: string) => async (): Promise<string> =>
  (await import('./page-scripts.js')).pageScript(folder);

export const GENERATED: readonly GeneratedFile[] = [
  { path: 'scenarios/index.ts', text: () => scenarioIndex(scenarioFiles()) },
  { path: 'scenarios/exercises.json', text: exercises },
  { path: 'src/server/page/page-script.ts', text: script('emulator') },
  { path: 'src/report/html/page-script.ts', text: script('report') },
  { path: 'src/report/html/beliefs/page-script.ts', text: script('beliefs') },
  { path: 'src/features/proxy/page-script.ts', text: script('proxy') },
  { path: 'src/features/check/ui/page-script.ts', text: script('check') },
  { path: 'docs/requirements.md', text: page },
  { path: 'docs/api.md', text: api },
  { path: 'docs/openapi.json', text: openApi },
  { path: 'docs/clients.md', text: clients },
  { path: 'schemas/config.schema.json', text: config },
  { path: 'README.md', text: readme },
];
