import { importsOf } from './imports.js';
import { roomOf, type Source } from '../sources.js';

/**
 * The files that import each other's values in a circle, each circle as a sorted list of paths. Types make none:
 * nothing is left of them where the code runs.
 */
export function circlesIn(sources: readonly Source[]): readonly (readonly string[])[] {
  const known = new Set(sources.map(({ path }) => stem(path)));
  const graph = new Map(
    sources.map((source) => {
      const values = importsOf(source).filter(({ from, typeOnly }) => !typeOnly && from !== null);
      return [stem(source.path), values.map(({ from }) => from!).filter((from) => known.has(from))] as const;
    }),
  );
  return circlesOf(graph);
}

/** The rooms of `src/` that import each other in a circle, by values or types, each circle as a sorted list. */
export function roomCirclesIn(sources: readonly Source[]): readonly (readonly string[])[] {
  const graph = new Map(sources.map(({ path }) => [roomOf(stem(path)), new Set<string>()]));
  for (const source of sources) {
    const room = roomOf(stem(source.path));
    for (const { from } of importsOf(source)) {
      const other = from?.startsWith('src/') === true ? roomOf(from) : room;
      if (other !== room && graph.has(other)) graph.get(room)!.add(other);
    }
  }
  return circlesOf(new Map([...graph].map(([room, others]) => [room, [...others]])));
}

function circlesOf(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const reach = new Map([...graph.keys()].map((path) => [path, reachedFrom(path, graph)]));
  const circles = new Map<string, readonly string[]>();
  for (const [path, reached] of reach) {
    if (!reached.has(path)) continue;
    const circle = [...reached].filter((other) => reach.get(other)!.has(path)).sort();
    circles.set(circle.join(), circle);
  }
  return [...circles.values()];
}

/** Everything that following imports leads to; the file itself only by way of others. */
function reachedFrom(path: string, graph: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [...graph.get(path)!];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    waiting.push(...graph.get(next)!);
  }
  return reached;
}

const stem = (path: string): string => path.replace(/\.tsx?$/, '');
