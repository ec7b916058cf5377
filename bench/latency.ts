/** What the proxy adds to a call, at several rates: a table of docs/performance.md. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { writeTable } from './page.js';
import type { Latency } from './programs/latency.js';

const CALLS_PER_SECOND = [300, 1_000];
const SECONDS = 15;
const PROGRAM = fileURLToPath(new URL('./programs/latency.js', import.meta.url));

/** Measures it, and puts it into docs/performance.md. */
export function writeLatency(): void {
  const rows = CALLS_PER_SECOND.map((rate): Latency => {
    const text = execFileSync(process.execPath, [PROGRAM, String(rate), String(SECONDS)], {
      encoding: 'utf8',
    });
    process.stdout.write(text);
    return JSON.parse(text) as Latency;
  });
  writeTable('latency', [
    [
      'calls/s',
      'direct',
      'bare proxy',
      'Runproof',
      'added, of which by a bare one',
      '÷ direct',
      'CPU for a call',
      'load',
    ],
    ...rows.map(cellsOf),
  ]);
}

function cellsOf({ callsPerSecond, routes, cpuMs, load, calls, judged }: Latency): readonly string[] {
  const { direct, bare, proxy } = routes;
  if (judged < calls) process.stderr.write(`of ${calls} calls only ${judged} were judged\n`);
  const both = (of: (at: 'p50' | 'p99') => string): string => `${of('p50')}, ${of('p99')}`;
  return [
    callsPerSecond.toLocaleString('en'),
    ...[direct, bare, proxy].map((spread) => both((at) => ms(spread[at]))),
    both((at) => `${ms(proxy[at] - direct[at])} (${ms(bare[at] - direct[at])})`),
    both((at) => (proxy[at] / direct[at]).toFixed(2)),
    `${cpuMs.toFixed(2)} ms`,
    load.toFixed(1),
  ];
}

const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 0);
