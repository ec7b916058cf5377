/** `docs/api.md`: every name that the package exports, with its docstrings and its signature: values first, then types. */
import { publicApi, type PublicExport } from '../public-api.js';

const HEAD = `# What the package exports

\`npm run generate\` writes this page, and a spec compares it with the sources. A change here is a change for users:
it belongs in [CHANGELOG.md](../CHANGELOG.md).
`;
/** A longer value is data that has a page of its own, such as the requirements. */
const LINES_MAX = 150;

export function apiPage(): string {
  const sections = [...publicApi()].flatMap(([entry, exported]) => [
    section(`\`${entry}\``, exported.filter(isValue)),
    section(
      `Types of \`${entry}\``,
      exported.filter((one) => !isValue(one)),
    ),
  ]);
  return HEAD + sections.join('');
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
