import { expect, test } from 'vitest';
import { bannerFacts } from './banner-cells.ts';
import { colouringAt, frameAt } from './cloud-programme.ts';

test('M02 the cloud begins with the ten cell types and goes through every gene before it comes back to them', () => {
  expect(bannerFacts.cellTypes).toHaveLength(10);
  expect(frameAt(0)).toMatchObject({ from: null, blend: 0 });
  const seen: (number | null)[] = [];
  for (let time = 0; time < 60; time += 0.25) {
    const colouring = colouringAt(frameAt(time));
    if (seen.at(-1) !== colouring) seen.push(colouring);
  }
  expect(seen.slice(0, 7)).toEqual([null, 0, 1, 2, 3, 4, null]);
});

test('colours never jump: each frame begins where the one before ended', () => {
  for (let time = 0; time < 60; time += 0.05) {
    const [now, next] = [frameAt(time), frameAt(time + 0.05)];
    if (now.from === next.from) expect(next.blend).toBeGreaterThanOrEqual(now.blend);
    else expect(now.blend).toBeGreaterThan(0.98);
    expect(now.blend).toBeLessThanOrEqual(1);
  }
});
