import { expect, test } from 'vitest';
import { ambientGenes } from './ambient-genes.ts';

/** Five types; a gene is its level in each, and its change in each. */
function typesOf(genes: readonly { levels: number[]; changes: number[] }[]) {
  return Array.from({ length: 5 }, (_, type) => ({
    leading: [...genes.keys()],
    logfoldchanges: Float64Array.from(genes, ({ changes }) => changes[type]!),
    means: Float64Array.from(genes, ({ levels }) => Math.log1p(levels[type]!)),
  }));
}
const ambientOf = (...genes: { levels: number[]; changes: number[] }[]) => [
  ...ambientGenes(typesOf(genes), Math.expm1),
];
/** A gene of the first type only; the others have it by contamination. */
const ambient = { levels: [50, 1, 1.2, 0.9, 1], changes: [0.1, 1, 1.1, 0.8, 1.3] };
const three = (gene: typeof ambient) => [gene, gene, gene];

test('a gene of one type that changes alike in all others and not in its own is taken for ambient', () => {
  expect(ambientOf(...three(ambient))).toEqual([0, 1, 2]);
  expect(ambientOf(...three({ ...ambient, changes: ambient.changes.map((change) => -change) }))).toEqual([
    0, 1, 2,
  ]);
});

test('two such genes may be alike by chance, and are not reported', () => {
  expect(ambientOf(ambient, ambient)).toEqual([]);
});

test.each([
  ['that all types express', { ...ambient, levels: [2, 1, 1.2, 0.9, 1] }],
  ['that changes in its own type as well', { ...ambient, changes: [1, 1, 1.1, 0.8, 1.3] }],
  ['that falls in one type', { ...ambient, changes: [0.1, 1, 1.1, 0.8, -1] }],
  ['whose changes differ in size', { ...ambient, changes: [0.1, 1, 3, 0.2, 1.3] }],
  ['that was not tested in two types', { ...ambient, changes: [0.1, 1, NaN, NaN, 1.3] }],
])('a gene %s is none', (_, gene) => {
  expect(ambientOf(...three(gene))).toEqual([]);
});
