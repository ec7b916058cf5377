/** `docs/api.md`: every name that the package exports, with its signature. */
import { publicApi, type PublicExport } from '../public-api.js';

const HEAD = `# What the package exports

\`npm run generate\` writes this page, and a spec compares it with the sources. A change here is a change for users:
it belongs in [CHANGELOG.md](../CHANGELOG.md). The docstrings are in the sources and in the package's types.
`;
/** A longer value is data that has a page of its own, such as the requirements. */
const LINES_MAX = 150;

export function apiPage(): string {
  const sections = [...publicApi()].map(
    ([entry, exported]) => `\n## \`${entry}\`\n\n\`\`\`ts\n${exported.map(textOf).join('\n\n')}\n\`\`\`\n`,
  );
  return HEAD + sections.join('');
}

function textOf({ signature, tags }: PublicExport): string {
  const lines = signature.split('\n').map((line) => line.replace(/^( +)\1/, '$1'));
  const shown = lines.length > LINES_MAX ? [`${lines[0]!} …`] : lines;
  return [...(tags.includes('internal') ? ['// @internal'] : []), ...shown].join('\n');
}
