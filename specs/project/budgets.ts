import { roomOf, type Source } from './sources.js';

/** Rooms of `src/` that together do one thing, and the lines that they may have. */
export interface Storey {
  readonly name: string;
  readonly rooms: readonly string[];
  readonly lines: number;
}

/**
 * What is added is paid for: who needs more lines than these takes some out, or raises the number in a commit that says what for.
 * From the bottom to the top; files beside the rooms count with the shell.
 */
export const STOREYS: readonly Storey[] = [
  { name: 'the document', rooms: ['util', 'spec', 'time', 'threads'], lines: 7_185 },
  { name: 'the record', rooms: ['history', 'traffic', 'files'], lines: 5_493 },
  { name: 'the endpoint', rooms: ['core', 'worker', 'sim'], lines: 6_817 },
  { name: 'the judge', rooms: ['oracle'], lines: 24_347 },
  { name: 'the wire', rooms: ['wire', 'server', 'proxy'], lines: 9_286 },
  { name: 'the driver', rooms: ['scenario', 'runner', 'schedule', 'target'], lines: 13_455 },
  { name: 'the report', rooms: ['report', 'browser'], lines: 14_455 },
  { name: 'from calls to a report', rooms: ['test-bed', 'judging', 'exploring', 'checking'], lines: 7_737 },
  { name: 'features', rooms: ['features', 'client', 'mutants', 'explore'], lines: 25_780 },
  { name: 'the shell', rooms: ['cli', 'shell'], lines: 4_026 },
];

/** More than these below its budget, a storey has its budget lowered. */
export const SLACK = 250;

/** What is above its budget, or so far below that the budget is to be lowered: a message each. */
export function overBudget(sources: readonly Source[], storeys = STOREYS): readonly string[] {
  const roomless = [...new Set(sources.map(({ path }) => roomOf(path)))].filter(
    (room) => !room.endsWith('.ts') && !storeys.some(({ rooms }) => rooms.includes(room)),
  );
  return [
    ...roomless.map((room) => `${room}/ is in no storey`),
    ...storeys.flatMap(({ name, rooms, lines }, index) => {
      const isTop = index === storeys.length - 1;
      const own = sources.filter(
        ({ path }) => rooms.includes(roomOf(path)) || (isTop && roomOf(path).endsWith('.ts')),
      );
      const has = own.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
      if (has > lines) return [`${name} (${rooms.join(', ')}): ${has} lines, ${has - lines} too many`];
      return has < lines - SLACK ? [`${name} (${rooms.join(', ')}): ${has} lines, lower its ${lines}`] : [];
    }),
  ];
}
