import { noteDifferences } from '@cellfolio/model/testing';
import { expect, test } from 'vitest';
import { processCounts } from './process-counts.ts';
import reference from './process-reference.json' with { type: 'json' };
import { inBlocks, defaultSettings } from './testing/simulated-counts.ts';

const { counts, top, chosen, components, varianceRatio } = reference.components;
const count = components[0]!.length;

test('normalised counts, variable genes and principal components are those of scanpy', async () => {
  const rows = counts.map((row) => Int32Array.from(row));
  const geneNames = counts[0]!.map((_, gene) => `GENE${gene}`);
  const result = await processCounts(inBlocks({ groups: [], rows, geneNames }, 'cell', 16), {
    threads: 1,
    parts: [],
    settings: {
      ...defaultSettings,
      quality: { deviations: 5, minimumCounts: 0, minimumGenes: 0, maximumMitochondrial: 1 },
      variableGenes: top,
      components: count,
    },
  });
  expect(result.keptCells).toHaveLength(rows.length);
  expect(Array.from(result.variableGenes)).toEqual(chosen);
  expect(result.components).toBe(count);
  noteDifferences('components', result.varianceShares, varianceRatio, 1);
  for (const [component, share] of result.varianceShares.entries())
    expect(Math.abs(share - varianceRatio[component]!)).toBeLessThan(1e-6);
  for (let component = 0; component < count; component++) {
    const theirs = components.map((cell) => cell[component]!);
    // Which way a component points is free; and logarithms are to the base of 2 here, which scales all alike.
    const ours = theirs.map((_, cell) => result.pca[cell * count + component]! * Math.LN2);
    const sign = Math.sign(ours.reduce((sum, value, cell) => sum + value * theirs[cell]!, 0));
    noteDifferences(
      'components',
      ours.map((value) => sign * value),
      theirs,
      Math.max(...theirs.map(Math.abs)),
    );
    const largest = Math.max(...theirs.map(Math.abs));
    const apart = Math.max(...ours.map((value, cell) => Math.abs(sign * value - theirs[cell]!)));
    expect(apart / largest, `component ${component}`).toBeLessThan(1e-6);
  }
});
