import { expect, test } from 'vitest';
import { createFramePace } from './frame-pace.ts';

test('frames that cost little and come in time are drawn as often as asked for', () => {
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

test('where most frames come late fewer are asked for; a few late ones change nothing', () => {
  const pace = createFramePace(1 / 60);
  for (let i = 0; i < 300; i++) pace.drawn(i % 5 === 0 ? 0.2 : 1 / 60, 0.001);
  expect(pace.interval()).toBe(1 / 60);
  for (let i = 0; i < 30; i++) pace.drawn(0.1, 0.001);
  expect(pace.interval()).toBeCloseTo(1 / 30);
  for (let i = 0; i < 3000; i++) pace.drawn(1, 0.001);
  expect(pace.interval()).toBe(0.25);
});
