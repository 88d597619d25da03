import { expect, test } from 'vitest';
import { bannerFacts } from './banner-cells.ts';
import { colouringAt, createFramePace, frameAt } from './run-cloud.ts';

test('the cloud begins with the ten cell types and goes through every gene before it comes back to them', () => {
  expect(bannerFacts.cellTypes).toHaveLength(10);
  expect(frameAt(0)).toMatchObject({ from: null, blend: 0 });
  const colourings: (number | null)[] = [];
  for (let time = 0; time < 60; time += 0.25) {
    const colouring = colouringAt(frameAt(time));
    if (colourings.at(-1) !== colouring) colourings.push(colouring);
  }
  expect(colourings.slice(0, 7)).toEqual([null, 0, 1, 2, 3, 4, null]);
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

test('frames that cost little and come in time are drawn as often as requested', () => {
  const pace = createFramePace(1 / 60);
  for (let i = 0; i < 300; i++) pace.drawn(1 / 60, 0.0005);
  expect(pace.interval()).toBe(1 / 60);
});

test('frames that cost more are drawn less often, in a tenth of the time, and never not at all', () => {
  const pace = createFramePace(1 / 20);
  for (let i = 0; i < 60; i++) pace.drawn(pace.interval(), 0.012);
  expect(pace.interval()).toBeCloseTo(0.12);
  for (let i = 0; i < 60; i++) pace.drawn(pace.interval(), 0.3);
  expect(pace.interval()).toBe(0.25);
});

test('where most frames come late fewer are requested; a few late ones change nothing', () => {
  const pace = createFramePace(1 / 60);
  for (let i = 0; i < 300; i++) pace.drawn(i % 5 === 0 ? 0.2 : 1 / 60, 0.001);
  expect(pace.interval()).toBe(1 / 60);
  for (let i = 0; i < 30; i++) pace.drawn(0.1, 0.001);
  expect(pace.interval()).toBeCloseTo(1 / 30);
  for (let i = 0; i < 3000; i++) pace.drawn(1, 0.001);
  expect(pace.interval()).toBe(0.25);
});
