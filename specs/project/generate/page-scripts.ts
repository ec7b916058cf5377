/** The scripts of the pages: `src/browser/` as texts that the server and the report embed. */
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const HONO =
  '/*! With parts of hono: Copyright (c) 2021 - present, Yusuke Wada and Hono contributors, MIT License */';

/** The text of a module that exports the bundled script of this folder. */
export async function pageScript(folder: string): Promise<string> {
  const { output } = await build({
    input: fileURLToPath(new URL(`../../../src/browser/${folder}/main`, import.meta.url)),
    tsconfig: fileURLToPath(new URL('../../../src/browser/tsconfig.json', import.meta.url)),
    platform: 'browser',
    write: false,
    output: { format: 'iife', minify: true },
  });
  const [{ code, moduleIds }] = output;
  const notice = moduleIds.some((id) => id.includes('/node_modules/hono/')) ? `${HONO}\n` : '';
  return `/** Generated from \`src/browser/${folder}/\` by \`npm run generate\`: do not edit. */
export const PAGE_SCRIPT: string = ${JSON.stringify(notice + code)};
`;
}
