import { expect, test } from 'vitest';
import { bannerFacts } from './banner-cells.ts';
import { colouringAt, frameAt } from './cloud-programme.ts';

test('the cloud begins with the ten cell types and goes through every gene before it comes back to them', () => {
  expect(bannerFacts.cellTypes).toHaveLength(10);
  expect(frameAt(0)).toMatchObject({ from: null, blend: 0 });
  const seen: (number | null)[] = [];
  for (let time = 0; time < 60; time += 0.25) {
    const colouring = colouringAt(frameAt(time));
    if (seen.at(-1) !== colouring) seen.push(colouring);
  }
  expect(seen.slice(0, 7)).toEqual([null, 0, 1, 2, 3, 4, null]);
});

test('colours never jump: a new pair begins with the colours that the last one ended with', () => {
  const frames = Array.from({ length: 1200 }, (_, i) => frameAt(i * 0.05));
  const steps = frames.slice(1).map((next, i) => {
    const now = frames[i] ?? next;
    // Where the pair changes, all of the old blend is over and the new one has not begun.
    return now.from === next.from ? next.blend - now.blend : next.blend + 1 - now.blend;
  });
  expect(Math.min(...steps)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...steps)).toBeLessThan(0.1);
});
