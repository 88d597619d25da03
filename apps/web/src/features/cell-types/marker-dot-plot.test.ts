import type { FigureSource } from '@cellfolio/contract';
import { expect, test } from 'vitest';
import { markerDotPlot } from './marker-dot-plot.ts';

const source = { dataset_filename: 'a.h5ad', content: { kind: 'category-umap' } } as FigureSource;
const marker = (gene: string, share = 0.5, above = 1) => ({ gene, share, above, mean: 1, other_groups: 0 });

function answer(
  suggestions: readonly (readonly [type: string | null, markers: ReturnType<typeof marker>[]])[],
) {
  return {
    parameters: { groupby: 'leiden', min_share: 0.1 },
    suggestions: suggestions.map(([suggestion, markers]) => ({ suggestion, best: { markers } })),
  } as unknown as Parameters<typeof markerDotPlot>[1];
}

test('expressed markers of suggested types are drawn once, bracketed by type', () => {
  const dotPlot = markerDotPlot(
    source,
    answer([
      ['B', [marker('CD19'), marker('MS4A1', 0.05), marker('CD79A', 0.5, -1), marker('CD74')]],
      [null, [marker('GNLY')]],
      ['Plasma', [marker('CD74'), marker('MZB1')]],
      ['B', [marker('CD19'), marker('PAX5')]],
    ]),
  );
  expect(dotPlot).toMatchObject({
    dataset_filename: 'a.h5ad',
    content: {
      kind: 'gene-dot-plot',
      genes: ['CD19', 'CD74', 'PAX5', 'MZB1'],
      by: { column: 'leiden' },
      brackets: [
        { name: 'B', count: 3 },
        { name: 'Plasma', count: 1 },
      ],
    },
  });
});

test('there is nothing to draw where nothing is suggested', () => {
  expect(markerDotPlot(source, answer([[null, [marker('GNLY')]]]))).toBeNull();
});
