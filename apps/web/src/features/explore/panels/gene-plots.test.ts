import { expect, test } from 'vitest';
import { planGenePlots } from '../use-show-genes.ts';

const existing = new Set(['CD3D umap', 'CST3 umap', 'CST3 violin']);
const exists = (gene: string, kind: string) => existing.has(`${gene} ${kind}`);

test('only genes without their plots are generated', () => {
  expect(planGenePlots(['CD3D', 'CD79A', 'CST3'], ['umap'], exists)).toEqual({
    wanted: ['CD79A'],
    done: ['CD3D', 'CST3'],
  });
});

test('a gene that has its UMAP but not the requested violin is generated', () => {
  expect(planGenePlots(['CD3D', 'CST3'], ['umap', 'violin'], exists)).toEqual({
    wanted: ['CD3D'],
    done: ['CST3'],
  });
});
