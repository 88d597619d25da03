import { significant, raised } from '../drawing/scene/style.ts';

/** Below 0 blue, above it red, on paper and on a dark ground: nothing in the middle. */
export const correlationRamp: readonly string[] = [
  '#1d3f73',
  significant,
  '#9db8dc',
  '#ffffff',
  '#e6b3a6',
  raised,
  '#7d2a1a',
];
export const darkCorrelationRamp: readonly string[] = [
  '#a8c6f2',
  '#5d8bd0',
  '#2f4c77',
  '#1b1f27',
  '#733a2d',
  '#cf7660',
  '#f7c4b8',
];
