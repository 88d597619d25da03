import { createHash } from 'node:crypto';
import { isCategorical, unpackStrings, type CategoricalColumn } from '@cellfolio/model';
import { describe, expect, test } from 'vitest';
import { cellTypeMarkers, cellTypes } from './gene-profiles.ts';
import { genePanel } from './gene-families.ts';
import { programmes } from './programmes.ts';
import { demoRecipes, type Recipe } from './recipes.ts';
import { simulateDataset, type SimulatedDataset } from './simulate-dataset.ts';
const recipe = demoRecipes[0]!;
const data = simulateDataset(recipe);
const symbols = unpackStrings(data.var.index);

function column(dataset: SimulatedDataset, name: string): CategoricalColumn {
  const obsColumn = dataset.obs.columns.get(name);
  if (!isCategorical(obsColumn)) throw new Error(`${name} is not categorical`);
  return obsColumn;
}

function labels(dataset: SimulatedDataset, name: string): string[] {
  const { codes, categories } = column(dataset, name);
  return Array.from(codes, (code) => categories[code]!);
}

function gene(dataset: SimulatedDataset, symbol: string): Float64Array {
  const row = symbols.indexOf(symbol);
  const out = new Float64Array(dataset.obs.rowCount);
  for (let cell = 0; cell < out.length; cell++)
    for (let i = dataset.indptr[cell]!; i < dataset.indptr[cell + 1]!; i++)
      if (dataset.indices[i] === row) out[cell] = dataset.values[i]!;
  return out;
}

function meanBy(values: ArrayLike<number>, groups: readonly string[]): Map<string, number> {
  const sums = new Map<string, { sum: number; count: number }>();
  groups.forEach((group, i) => {
    const entry = sums.get(group) ?? { sum: 0, count: 0 };
    sums.set(group, { sum: entry.sum + values[i]!, count: entry.count + 1 });
  });
  return new Map([...sums].map(([group, { sum, count }]) => [group, sum / count]));
}

function correlation(x: readonly number[], y: readonly number[]): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [mean(x), mean(y)];
  const covariance = mean(x.map((value, i) => (value - mx) * (y[i]! - my)));
  return covariance / Math.sqrt(mean(x.map((v) => (v - mx) ** 2)) * mean(y.map((v) => (v - my) ** 2)));
}

function hash(dataset: SimulatedDataset): string {
  const digest = createHash('sha256');
  const { obs, indptr, indices, counts, values, umap } = dataset;
  for (const array of [obs.index.bytes, indptr, indices, counts, values, umap.values]) digest.update(array);
  for (const [name, content] of obs.columns)
    digest.update(name).update(content.kind === 'categorical' ? content.codes : JSON.stringify(content));
  return digest.digest('hex');
}

test('the same recipe gives the same bytes, another seed other bytes', () => {
  const small: Recipe = { ...recipe, cellCount: 400 };
  const first = hash(simulateDataset(small));
  expect(hash(simulateDataset(small))).toBe(first);
  expect(hash(simulateDataset({ ...small, seed: 'another' }))).not.toBe(first);
});

test('the panel holds each symbol once and all markers and programme genes', () => {
  const panel = genePanel();
  expect(new Set(panel).size).toBe(panel.length);
  expect(panel.length).toBeGreaterThan(2000);
  const named = [...Object.values(cellTypeMarkers), ...Object.values(programmes)].flat();
  expect(named.filter((symbol) => !panel.includes(symbol))).toEqual([]);
  expect(panel.filter((symbol) => !/^[A-Z][A-Z0-9]*(-[A-Z0-9]+)*$/.test(symbol))).toEqual([]);
});

describe('the demo catalogue', () => {
  test('has six datasets of several diseases and says of each that it is simulated', () => {
    expect(demoRecipes).toHaveLength(6);
    expect(new Set(demoRecipes.map(({ catalogue }) => catalogue.disease)).size).toBeGreaterThanOrEqual(3);
    for (const { id, catalogue, patients, lineages } of demoRecipes) {
      expect(id).toMatch(/^demo-[a-z0-9-]+\.h5ad$/);
      expect(catalogue.simulated).toBe(true);
      // The flag is shown with it; the description is of the data.
      expect(catalogue.description).not.toMatch(/simulated/i);
      expect(catalogue.description.length).toBeLessThan(160);
      expect(catalogue.gseAccessionNumber).toBeUndefined();
      expect(catalogue.patientCount).toBe(patients.length);
      expect(Object.values(lineages).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 6);
    }
  });

  test('cell numbers and cell types have the requested proportions', () => {
    expect(Math.abs(data.obs.rowCount - recipe.cellCount)).toBeLessThan(60);
    const types = labels(data, 'cell_type');
    const share = (type: string): number => types.filter((other) => other === type).length / types.length;
    expect(new Set(types)).toEqual(new Set(cellTypes));
    expect(share('T cell')).toBeCloseTo(recipe.lineages['CD4 T']! + recipe.lineages['CD8 T']!, 1);
    expect(share('Macrophage')).toBeCloseTo(recipe.lineages['Macrophage']!, 1);
    expect(share('Mast')).toBeLessThan(0.03);
  });

  test.each(cellTypes)('the markers of %s are highest there', (type) => {
    const types = labels(data, 'cell_type');
    const wrong = cellTypeMarkers[type].slice(0, 10).filter((symbol) => {
      // A gene that marks two types may be higher in the other one.
      const rivals = cellTypes.filter((other) => other !== type && cellTypeMarkers[other].includes(symbol));
      const means = meanBy(gene(data, symbol), types);
      return [...means].some(
        ([other, mean]) => other !== type && !rivals.some((r) => r === other) && mean >= means.get(type)!,
      );
    });
    expect(wrong).toEqual([]);
  });

  test('library sizes, detected genes and mitochondrial share are those of a good 10x run', () => {
    const numbers = (name: string): Float64Array => {
      const obsColumn = data.obs.columns.get(name);
      if (obsColumn?.kind !== 'numeric') throw new Error(`${name} is not numeric`);
      return Float64Array.from(obsColumn.values).sort();
    };
    const quantile = (values: Float64Array, q: number): number =>
      values[Math.floor(q * (values.length - 1))]!;
    const totals = numbers('total_counts');
    expect(quantile(totals, 0.5)).toBeGreaterThan(1500);
    expect(quantile(totals, 0.5)).toBeLessThan(6000);
    expect(quantile(totals, 0.95) / quantile(totals, 0.05)).toBeGreaterThan(3);
    expect(quantile(totals, 0.95) / quantile(totals, 0.05)).toBeLessThan(30);
    expect(quantile(numbers('n_genes_by_counts'), 0.5)).toBeGreaterThan(400);
    expect(quantile(numbers('pct_counts_mt'), 0.5)).toBeGreaterThan(2);
    expect(quantile(numbers('pct_counts_mt'), 0.99)).toBeLessThan(25);
  });

  test('X is log1p of the counts per ten thousand', () => {
    for (const cell of [0, 17, 1234]) {
      const range = [data.indptr[cell]!, data.indptr[cell + 1]!] as const;
      const counts = data.counts.subarray(...range);
      const total = counts.reduce((sum, count) => sum + count, 0);
      expect(counts.every((count) => count > 0 && Number.isInteger(count))).toBe(true);
      expect([...data.values.subarray(...range)]).toEqual(
        [...counts].map((count) => Math.fround(Math.log1p((1e4 * count) / total))),
      );
    }
  });

  test.each([
    ['PDCD1', 'GZMB', 'CD8 T'],
    ['POSTN', 'CXCL12', 'Fibroblast'],
    ['MRC1', 'IL1B', 'Macrophage'],
  ])(
    '%s rises where %s falls, along a direction of the embedding that is visible in %s',
    (rising, falling, lineage) => {
      const states = labels(data, 'cell_state');
      const cells = states.flatMap((state, cell) => (state.startsWith(lineage) ? [cell] : []));
      const [up, down] = [gene(data, rising), gene(data, falling)];
      const contrast = cells.map((cell) => up[cell]! - down[cell]!);
      // The direction in which the contrast changes most is the regression of it on both coordinates.
      const x = cells.map((cell) => data.umap.values[2 * cell]!);
      const y = cells.map((cell) => data.umap.values[2 * cell + 1]!);
      const [rx, ry, rxy] = [correlation(x, contrast), correlation(y, contrast), correlation(x, y)];
      const explained = (rx ** 2 + ry ** 2 - 2 * rx * ry * rxy) / (1 - rxy ** 2);
      expect(explained).toBeGreaterThan(0.15);
    },
  );

  test('clusters are 8 to 16, numbered by size, and hold mostly one cell type each', () => {
    const { codes, categories } = column(data, 'leiden');
    expect(categories.length).toBeGreaterThanOrEqual(8);
    expect(categories.length).toBeLessThanOrEqual(16);
    const types = labels(data, 'cell_type');
    const sizes = categories.map((_, cluster) => Array.from(codes).filter((code) => code === cluster).length);
    expect([...sizes].sort((a, b) => b - a)).toEqual(sizes);
    for (const cluster of categories.keys()) {
      const members = types.filter((_, cell) => codes[cell] === cluster);
      const largest = Math.max(...cellTypes.map((type) => members.filter((other) => other === type).length));
      expect(largest / members.length).toBeGreaterThan(0.85);
    }
  });

  test('tumour cells of different patients differ more than their T cells do', () => {
    const types = labels(data, 'cell_type');
    const states = labels(data, 'cell_state');
    const patient = labels(data, 'patient');
    const spread = (chosen: (cell: number) => boolean): number => {
      const cells = patient.flatMap((_, cell) => (chosen(cell) ? [cell] : []));
      const groups = cells.map((cell) => patient[cell]!);
      const panel = symbols.filter((symbol) => /^(RP[LS]\d|ATP5|NDUF|EIF)/.test(symbol)).slice(0, 60);
      return panel.reduce((sum, symbol) => {
        const values = gene(data, symbol);
        const means = [
          ...meanBy(
            cells.map((cell) => values[cell]!),
            groups,
          ).values(),
        ];
        return sum + Math.max(...means) - Math.min(...means);
      }, 0);
    };
    const tumour = spread((cell) => states[cell] === 'Epithelial tumour');
    expect(tumour).toBeGreaterThan(1.5 * spread((cell) => types[cell] === 'T cell'));
  });

  test('genes of the Y chromosome are silent in women', () => {
    expect(Math.max(...gene(data, 'RPS4Y1'))).toBe(0);
    expect(meanBy(gene(data, 'XIST'), labels(data, 'sex')).get('Female')).toBeGreaterThan(0.1);
  });
});
