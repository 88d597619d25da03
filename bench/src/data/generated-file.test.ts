import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importH5ad } from '@cellfolio/ingest';
import { FileObjectStore, openDataset } from '@cellfolio/store';
import { expect, onTestFinished, test } from 'vitest';
import { expressionModel, sparseRows } from './sparse-rows.ts';
import { generatedFile, geneMajorFile, genesToDraw, sizeName, cellClouds } from './generated-file.ts';
test('each size has its own name', () => {
  expect(sizeName({ cells: 100_000, genes: 20_000, density: 0.08 })).toBe('100000x20000-8pc');
  expect(sizeName({ cells: 10, genes: 20, density: 0.125, gzip: 4 })).toBe('10x20-12.5pc-gzip4');
});

test('genes to draw are ordered by expression, each once', () => {
  const model = expressionModel(5000, 0.08, 1);
  const genes = genesToDraw(model, 20);
  const means = genes.map((name) => model.means[Number(name.slice(4)) - 1]!);
  expect(new Set(genes).size).toBe(20);
  expect(means).toEqual([...means].sort((a, b) => b - a));
  expect(means.at(-1)).toBeGreaterThan(0.01);
});

test('a generated file can be imported with its values, and is generated once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cellfolio-bench-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const size = { cells: 300, genes: 100, density: 0.2 };
  const reports: string[] = [];
  const report = (line: string) => void reports.push(line);
  const { path, model } = await generatedFile(folder, size, report);
  await generatedFile(folder, size, report);
  expect(reports).toHaveLength(1);
  const catalogue = {
    name: 'Generated',
    disease: 'None',
    subdisease: 'None',
    category1: '',
    category2: '',
    description: '',
    simulated: true,
  };
  const root = join(folder, 'objects');
  const { manifest } = await importH5ad({ path, root, id: 'generated.h5ad', catalogue });
  expect(manifest).toMatchObject({
    cellCount: 300,
    geneCount: 100,
    expression: { path: 'X', state: 'log-normalised' },
    roles: { cellType: 'cell_type', cluster: 'leiden', embedding: 'X_umap' },
  });
  const dataset = await openDataset(new FileObjectStore(root), 'generated.h5ad');
  const [block] = [...sparseRows({ model, cellCount: 300, seed: 20_240_607 })];
  const gene = 42;
  const cells: number[] = [];
  const values: number[] = [];
  for (let cell = 0; cell < 300; cell++) {
    for (let i = block!.indptr[cell]!; i < block!.indptr[cell + 1]!; i++) {
      if (block!.indices[i] !== gene) continue;
      cells.push(cell);
      values.push(block!.values[i]!);
    }
  }
  const column = await dataset.gene(dataset.genes.find('GENE43')!);
  expect([...column.cells]).toEqual(cells);
  expect([...column.values]).toEqual(values);

  const turned = await geneMajorFile({ path, size, model }, { root, id: 'generated.h5ad' }, report);
  expect(reports).toHaveLength(2);
  await importH5ad({ path: turned.path, root, id: 'turned.h5ad', catalogue });
  const again = await openDataset(new FileObjectStore(root), 'turned.h5ad');
  expect(await again.gene(gene)).toEqual(column);
});

test('every cell has a position, a cluster and the cell type of its cluster', () => {
  const { cellType, cluster, embedding } = cellClouds(2000, 1);
  expect(embedding.values).toHaveLength(4000);
  expect(embedding.values.every(Number.isFinite)).toBe(true);
  expect(new Set(cluster.codes).size).toBe(cluster.categories.length);
  expect([...cellType.codes]).toEqual([...cluster.codes].map((code) => code >> 1));
});
