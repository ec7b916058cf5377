/** Recordings as recorders, loggers and gateways write them: nothing of it is the service's doing. */
import { isObject } from '../../src/util/json.js';
import type { RandomStream } from '../../src/time/random.js';

type Line = { readonly [member: string]: unknown };
type Lines = readonly Line[];

interface Habit {
  readonly name: string;
  readonly cutsBodies?: true;
  /** The files that it makes of one. */
  readonly files: (lines: Lines, random: RandomStream) => readonly Lines[];
}

const ELSEWHERE = 'http://10.0.0.5:8080/';
/** Of the clocks of two machines, as far as nothing has to be said of it. */
const SKEW_MS = 1_000;
const BODY_CHARACTERS = 60;

const one =
  (random: RandomStream, inHundred: number): (() => boolean) =>
  () =>
    random.intBetween(0, 99) < inHundred;

const withUrl = (line: Line, change: (url: string) => string): Line => ({
  ...line,
  url: change(line['url'] as string),
});

const msOf = ({ start, end }: Line): number => (end as number) - (start as number);

export const HABITS: readonly Habit[] = [
  { name: 'as it is', files: (lines) => [lines] },
  {
    name: 'bodies cut',
    cutsBodies: true,
    files(lines, random) {
      const isCut = one(random, 5);
      const cut = (line: Line): Line => {
        const text = isObject(line['body']) ? JSON.stringify(line['body']) : '';
        return text.length > BODY_CHARACTERS && isCut()
          ? { ...line, body: text.slice(0, BODY_CHARACTERS) }
          : line;
      };
      return [lines.map(cut)];
    },
  },
  {
    name: 'durations in whole seconds',
    files: (lines) => [
      lines.map((line) => {
        if (line['end'] === undefined) return line;
        const { end: _, ...rest } = line;
        return { ...rest, ms: Math.floor(msOf(line) / 1_000) * 1_000 };
      }),
    ],
  },
  {
    name: 'two clocks',
    files(lines, random) {
      const skewMs = random.intBetween(-SKEW_MS, SKEW_MS);
      const isSecond = one(random, 50);
      const first: Line[] = [];
      const second: Line[] = [];
      for (const line of lines)
        if (isSecond()) {
          const { start, end } = line;
          const byIt = (ms: unknown): object => (typeof ms === 'number' ? { end: ms + skewMs } : {});
          second.push({ ...line, start: (start as number) + skewMs, ...byIt(end) });
        } else first.push(line);
      return [first, second].filter(({ length }) => length > 0);
    },
  },
  {
    name: 'another address',
    files(lines, random) {
      const isElsewhere = one(random, 30);
      return [
        lines.map((line) =>
          isElsewhere() ? withUrl(line, (url) => url.replace(/^https:\/\/[^/]+\//u, ELSEWHERE)) : line,
        ),
      ];
    },
  },
  {
    name: 'slashes',
    files(lines, random) {
      const isOdd = one(random, 30);
      return [lines.map((line) => (isOdd() ? withUrl(line, (url) => url.replace('/v2/', '//v2/')) : line))];
    },
  },
  {
    name: 'a gap',
    files(lines, random) {
      const from = random.intBetween(0, lines.length - 1);
      const gone = lines.slice(from, from + random.intBetween(1, 40));
      const start = Math.min(...gone.map((line) => line['start'] as number));
      const end = Math.max(...gone.map((line) => (line['end'] ?? line['start']) as number));
      const rest = [...lines.slice(0, from), ...lines.slice(from + gone.length)];
      return [[...rest.slice(0, from), { missing: gone.length, start, end }, ...rest.slice(from)]];
    },
  },
];
