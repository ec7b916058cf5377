/** A history to judge, as JSON. usage: history.js BENCH explored|one-endpoint SIZE, with BENCH the compiled `bench` of a version */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Histories from '../histories.js';

const [bench = 'dist/bench', history = 'explored', size = '500'] = process.argv.slice(2);
const at = pathToFileURL(join(bench, 'histories.js')).href;
const { explored, onOneEndpoint } = (await import(at)) as typeof Histories;
const made = history === 'explored' ? explored(Number(size)) : onOneEndpoint(Number(size), 4);
process.stdout.write(JSON.stringify(made));
