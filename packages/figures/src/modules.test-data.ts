import type { CoExpressionInput } from './co-expression-input.ts';

export function modulesOf(
  sizes: readonly number[],
  overrides: Partial<CoExpressionInput> = {},
): CoExpressionInput {
  const labels = [...sizes.flatMap((size, at) => new Array<number>(size).fill(at + 1)), 0, 0];
  const genes = labels.map((module, at) => ({
    gene: `GENE${at}`,
    module,
    withinModule: module === 0 ? NaN : 20 - at / 10,
  }));
  const scores = new Float32Array(labels.length ** 2);
  labels.forEach((one, row) =>
    labels.forEach((other, column) => {
      if (row === column) return;
      scores[row * labels.length + column] = one === other && one > 0 ? 12 - (row + column) / 50 : -1;
    }),
  );
  return {
    genes,
    scores,
    modules: sizes.map((size, at) => ({
      name: `Module ${at + 1}`,
      size,
      hubs: genes
        .filter(({ module }) => module === at + 1)
        .slice(0, 5)
        .map(({ gene }) => gene),
    })),
    threshold: 3,
    cells: 2000,
    tested: 900,
    passing: 80,
    cautions: [],
    ...overrides,
  };
}
