/** `docs/api.md`: every name that the package exports, with its docstrings and its signature: values first, then types. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publicApi, type PublicExport } from '../public-api.js';
import { ROOT } from '../sources.js';

const HEAD = `# What the package exports

\`npm run generate\` writes this page, and a spec compares it with the sources. A change here is a change for users:
it belongs in [CHANGELOG.md](../CHANGELOG.md).
`;
/** A longer value is data that has a page of its own, such as the requirements. */
const LINES_MAX = 150;

const LINE_MAX = 100;

/** A use of what no example of a docstring and no document shows in a line. */
const USES: { readonly [name: string]: string } = {
  QUESTIONS: 'const open = QUESTIONS.map(({ id, readings }) => [id, readings]);',
  REQUIREMENTS: "const required = REQUIREMENTS.filter(({ level }) => level === 'must');",
  RunproofError: 'if (error instanceof RunproofError) console.error(error.code, error.message);',
  TargetError: 'if (error instanceof TargetError) console.error(error.problem, error.advice);',
  WorkerCrash: 'if (error instanceof WorkerCrash) process.exit(1);',
  assertWithinLimits: 'draw: (arb, limits) => (assertWithinLimits(limits, 60_000), {}),',
  checkTarget: 'const { conforms } = await checkTarget(target, { seed: 1 });',
  conformance: "conformance(fetchTarget({ fresh: createMyApi }, { worker: 'scripted' }), { seed: 1 });",
  defineConfig: "export default defineConfig({ url: 'http://127.0.0.1:8080/v2/test' });",
  fetchTarget: 'const target = fetchTarget({ fresh: createMyApi });',
  fromInject: 'fetchTarget({ fresh: async (wanted) => fromInject(await buildApp(wanted)) });',
  fromNodeHandler: 'fetchTarget({ fresh: (wanted) => fromNodeHandler(createApp(wanted)) });',
  judgeClient: "const judged = await judgeClient(runMyClient, { weather: ['clear', 'job-fails'] });",
  parseScript: 'const script = parseScript(JSON.parse(text));',
  runScripts:
    "const { events } = await runScripts(target, scripts, { seed: 1, edition: 'document', runproof: '0.1.0' });",
  runScriptedWorker: 'const output = await runScriptedWorker({ input }, { signal, emit });',
  scenario:
    "export default scenario({ title: 'reads /health', exercises: [], script: (_, s) => [s.health()] });",
  scriptsOf: 'fc.assert(fc.property(scriptsOf(mine, target.limits), (script) => script.steps.length > 0));',
  steps: "const calls = [steps.run('job'), steps.status('job')];",
};

export function apiPage(): string {
  const api = publicApi();
  const sections = [...api].flatMap(([entry, exported]) => [
    section(`\`${entry}\``, exported.filter(isValue)),
    section(
      `Types of \`${entry}\``,
      exported.filter((one) => !isValue(one)),
    ),
  ]);
  return HEAD + index([...api.values()].flat()) + sections.join('');
}

/** The functions and values, each with its first sentence, and a line of an example that uses it. */
function index(exported: readonly PublicExport[]): string {
  const inExamples = exported.flatMap(({ examples }) => examples).flatMap(linesOf);
  const code = [...inExamples, ...codeLines()];
  const rows = exported.filter(isValue).map(({ name, signature, examples }) => {
    const uses = new RegExp(`(?<![\\w'.-])${name}(?![\\w':-])`);
    const line = USES[name] ?? [...examples.flatMap(linesOf), ...code].find((one) => uses.test(one));
    if (line === undefined) throw new Error(`no example uses ${name}: add one to USES`);
    return `| \`${name}\` | ${firstSentence(signature)} | \`${line}\` |`;
  });
  return `\n## Names\n\n| name | what it is | used |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
}

/** Lines of code that call something: not those of imports, comments and shells, nor what a table would divide. */
const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(
      (line) =>
        line.length <= LINE_MAX &&
        /[;,)]$/.test(line) &&
        !/^(import|export|\/|\*|\||\$|npx)|[|`]| from '/.test(line),
    );

/** Of the examples and documents of the package. */
function codeLines(): readonly string[] {
  const files = (folder: string, ending: RegExp): readonly string[] =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => ending.test(name) && name !== 'api.md')
      .sort((a, b) => (a < b ? -1 : 1))
      .map((name) => readFileSync(join(ROOT, folder, name), 'utf8'));
  const inDocuments = files('docs', /\.md$/).flatMap((text) =>
    [...text.matchAll(/^```(?:ts|js)\n([^]*?)^```/gm)].map(([, block]) => block!),
  );
  return [...files('examples', /\.(ts|mjs)$/), ...inDocuments].flatMap(linesOf);
}

function firstSentence(signature: string): string {
  const [, doc = ''] = /^\/\*\*([^]*?)\*\//.exec(signature) ?? [];
  const text = doc.replaceAll(/\s*\n\s*\*\s?/g, ' ').trim();
  return (/^.*?[.:](?=\s|$)/.exec(text)?.[0] ?? text).replace(/:$/, '.').replaceAll('|', '\\|');
}

const section = (title: string, exported: readonly PublicExport[]): string =>
  exported.length === 0 ? '' : `\n## ${title}\n\n\`\`\`ts\n${exported.map(textOf).join('\n\n')}\n\`\`\`\n`;

const isValue = ({ signature }: PublicExport): boolean =>
  /^export declare (?:function|const|class)/m.test(signature);

function textOf({ signature, tags }: PublicExport): string {
  const lines = signature
    .replaceAll(/\n? \* @(?:public|internal)$|(?<=\S) @(?:public|internal)(?= \*\/)/gm, '')
    .replaceAll(/\n \*(?=\n \*\/)/g, '')
    .split('\n')
    .map((line) => line.replace(/^( +)\1/, '$1'));
  const first = lines.findIndex((line) => line.startsWith('export'));
  const shown = lines.length > LINES_MAX ? [...lines.slice(0, first), `${lines[first]!} …`] : lines;
  return [...(tags.includes('internal') ? ['// @internal'] : []), ...shown].join('\n');
}
