import { expect, it } from 'vitest';
import { circlesIn, roomCirclesIn } from './circles.js';
import { sourcesIn } from '../sources.js';

it('no files import each other in a circle', () => {
  const sources = ['src', 'proof', 'bench', 'scenarios'].flatMap(sourcesIn);
  expect(circlesIn(sources), 'move what both files need into a third one').toEqual([]);
});

it('circles of values are found at any length, circles of types are ignored', () => {
  const sources = [
    { path: 'src/a.ts', text: `import { b } from './b.js';` },
    { path: 'src/b.ts', text: `import { c } from './c.js';` },
    { path: 'src/c.ts', text: `export { a } from './a.js';` },
    { path: 'src/d.ts', text: `import { a } from './a.js'; import { e } from './e.js';` },
    { path: 'src/e.ts', text: `import type { d } from './d.js'; import { type d } from './d.js';` },
    { path: 'src/f.ts', text: `import './f.js';` },
  ];
  expect(circlesIn(sources)).toEqual([['src/a', 'src/b', 'src/c'], ['src/f']]);
});

it('no rooms of src/ import each other in a circle, by values or types', () => {
  expect(roomCirclesIn(sourcesIn('src')), 'move what both rooms need into an earlier one').toEqual([]);
});

it('circles of rooms are found through files and types', () => {
  const sources = [
    { path: 'src/one/a.ts', text: `import { b } from '../two/b.js';` },
    { path: 'src/two/b.ts', text: `import { c } from './c.js';` },
    { path: 'src/two/c.ts', text: `import type { d } from '../three/d.js';` },
    { path: 'src/three/d.ts', text: `import type { a } from '../one/a.js';` },
    { path: 'src/four/e.ts', text: `import { a } from '../one/a.js';` },
  ];
  expect(roomCirclesIn(sources)).toEqual([['one', 'three', 'two']]);
});
