/** Observations judged. usage: judge.js explored|one-endpoint SIZE */
import { judge } from '../../src/oracle/index.js';
import { explored, onOneEndpoint } from '../histories.js';
import { measured } from './measured.js';

const [history = 'explored', size = '500'] = process.argv.slice(2);
const { events, calls } = history === 'explored' ? explored(Number(size)) : onOneEndpoint(Number(size), 4);
measured(calls, () => judge(events));
