/** Every machine format is accepted by its schema, or by the parser that its consumers use. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { validateStrict } from 'ctrf';
import type { Log } from 'sarif';
// @ts-expect-error It has no type declarations.
import har from 'har-schema';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { Parser } from 'tap-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkTarget, simulatorTarget } from '../../src/index.js';
import { rulesFor } from '../../src/core/rules.js';
import { MUTANTS } from '../../src/mutants/index.js';
import { renderFormat } from '../../src/report/formats/index.js';
import { FORMATS, type Format } from '../../src/report/formats/names.js';
import type { Report } from '../../src/report/index.js';
import { MIXED, written as onClient } from './client/sample.js';
import { CONTEXT, madeUpReport } from './sample-report.js';

const load = createRequire(import.meta.url) as (name: string) => unknown;

/** The content of each format. */
type Rendered = { [format in Format]?: string };

const FILES = {
  junit: 'junit.xml',
  ctrf: 'ctrf.json',
  sarif: 'report.sarif',
  tap: 'report.tap',
  har: 'calls.har',
  github: 'github-annotations.txt',
  json: 'report.json',
} as const;

const inAll = (report: Report): Rendered =>
  Object.fromEntries(FORMATS.map((format) => [format, renderFormat(format, report, CONTEXT).content]));

/** A run of a faulty endpoint, as the library writes it. */
async function written(folder: string): Promise<Rendered> {
  const rules = MUTANTS.find(({ id }) => id === 'ttl-spares-running')!.rules(rulesFor({}, 'document'));
  await checkTarget(simulatorTarget({ seed: 1, graceMs: 2_000, rules }), {
    ...{ seed: 1, runs: 1, only: ['2.2', '4.4', '6'], out: folder, formats: FORMATS },
  });
  return Object.fromEntries(
    Object.entries(FILES).map(([format, file]) => [format, readFileSync(join(folder, file), 'utf8')]),
  );
}

interface TapResults {
  readonly failures: readonly { readonly tapError?: unknown }[];
}

function tapErrors(text: string): readonly unknown[] {
  const [, results] = Parser.parse(text).find(([name]) => name === 'complete') as [string, TapResults];
  return results.failures.flatMap(({ tapError }) => (typeof tapError === 'string' ? [tapError] : []));
}

describe.each(['made up', 'on a client', 'of a run'])('a report %s', (which) => {
  let rendered: Rendered = {};
  const folder = mkdtempSync(join(tmpdir(), 'runproof-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  beforeAll(async () => {
    if (which === 'of a run') rendered = await written(folder);
    else rendered = inAll(which === 'made up' ? madeUpReport() : onClient(MIXED));
  }, 60_000);
  const json = (format: Format): unknown => JSON.parse(rendered[format]!);

  it('json: our schema', () => {
    const schema = JSON.parse(readFileSync('schemas/report.schema.json', 'utf8')) as object;
    const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(schema);
    validate(json('json'));
    expect(validate.errors).toBeNull();
  });

  it('ctrf: its reference implementation', () => {
    expect(() => validateStrict(json('ctrf'))).not.toThrow();
  });

  it('har: the schema of HTTP Archive 1.2', () => {
    const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: false });
    ajv.addMetaSchema(load('ajv/dist/refs/json-schema-draft-06.json') as object);
    for (const schema of Object.values(har as object)) ajv.addSchema(schema as object);
    ajv.validate('har.json#', json('har'));
    expect(ajv.errors).toBeNull();
  });

  it('junit: well-formed XML of the structure that CI systems read, with counts that add up', () => {
    const schema = XmlDocument.fromBuffer(readFileSync('specs/report/schemas/junit.xsd'));
    const validator = XsdValidator.fromDoc(schema);
    const document = XmlDocument.fromString(rendered.junit!);
    try {
      expect(() => validator.validate(document)).not.toThrow();
      const count = (path: string): number => document.find(path).length;
      const total = (name: string): number =>
        document
          .find(`/testsuites/testsuite/@${name}`)
          .reduce((sum, { content }) => sum + Number(content), 0);
      expect(count('//testcase')).toBe(total('tests'));
      expect(count('//failure')).toBe(total('failures'));
      expect(count('//skipped')).toBe(total('skipped'));
      expect(document.get('/testsuites/@failures')?.content).toBe(String(count('//failure')));
    } finally {
      for (const each of [document, validator, schema]) each.dispose();
    }
  });

  it('tap: a strict parser of TAP 14', () => {
    const strict = rendered.tap!.replace(/^TAP version 14\n/, 'TAP version 14\npragma +strict\n');
    expect(tapErrors(strict)).toEqual([]);
    expect(tapErrors(`${strict}more\n`)).not.toEqual([]);
  });

  it('github: workflow commands, one a line', () => {
    const lines = rendered.github!.split('\n').filter((line) => line !== '');
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(/^::(error|warning|notice) [\w]+=[^:\n]*::[^\n]+$/);
  });

  // Its structure is checked by the compiler, against `@types/sarif`.
  it('sarif: every result has a rule, and every region lies within the document', () => {
    const { runs } = json('sarif') as Log;
    const rules = new Set(runs[0]!.tool.driver.rules!.map(({ id }) => id));
    expect(rules.size).toBe(runs[0]!.tool.driver.rules!.length);
    expect(runs[0]!.results!.length).toBeGreaterThan(0);
    for (const { ruleId, locations } of runs[0]!.results!) {
      expect(rules).toContain(ruleId);
      expect(locations![0]!.physicalLocation!.region!.startLine).toBeGreaterThan(0);
    }
  });
});
