import type { FigureContent } from '@cellfolio/contract';
import { plotShape } from '@cellfolio/figures/content';
import { expect, test } from 'vitest';
import { catalogueDataset } from '@/testing/fakes.ts';
import { imageFileName } from './download-menu.tsx';
import { datasetNameOf, imageAge } from './image-name.ts';

test('the file name is built from dataset, title and kind of plot', () => {
  expect(imageFileName({ datasetName: 'tumour one.h5ad', title: 'CD3D', plotKind: 'umap' })).toBe(
    'tumour_one_CD3D_UMAP.png',
  );
  expect(imageFileName({ datasetName: 'a/../b', title: 'HLA-DRA', plotKind: 'violin' })).toBe(
    'a_.._b_HLA-DRA_Violin.png',
  );
  expect(imageFileName({ datasetName: 'd', title: 'CD3D', plotKind: 'umap' }, 'svg')).toBe('d_CD3D_UMAP.svg');
  expect(imageFileName({ datasetName: 'd', title: 'x'.repeat(400), plotKind: 'umap' }, 'png-300dpi')).toBe(
    `d_${'x'.repeat(80)}_UMAP_300dpi.png`,
  );
});

test('kinds of figures of the same genes have files of different names', () => {
  const genes = ['CD79A', 'CD3D'];
  const contents: FigureContent[] = [
    { kind: 'gene-umap', gene: 'CD3D' },
    { kind: 'violin', of: { measure: 'gene', gene: 'CD3D' }, by: { column: 'sample' } },
    { kind: 'ridge', of: { measure: 'gene', gene: 'CD3D' }, by: { column: 'sample' } },
    { kind: 'stacked-violin', genes },
    { kind: 'gene-dot-plot', genes, scale: 'none', order: 'column' },
    { kind: 'matrix-plot', genes, scale: 'none', order: 'column' },
    { kind: 'gene-scatter', x: 'CD3D', y: 'CD79A' },
    { kind: 'composition-bar', by: { column: 'sample' }, show: 'share', order: 'cells' },
    { kind: 'embedding-density' },
  ];
  const names = contents.map((content) =>
    imageFileName({
      datasetName: 'd',
      title: 'T',
      plotKind: plotShape(content),
      source: { dataset_filename: 'd', content },
    }),
  );
  expect(names).toEqual([
    'd_T_UMAP.png',
    'd_T_Violin.png',
    'd_T_Ridge_plot.png',
    'd_T_Stacked_violin.png',
    'd_T_Dot_plot.png',
    'd_T_Matrix_plot.png',
    'd_T_Scatter_of_cells.png',
    'd_T_Composition.png',
    'd_T_Density_on_the_UMAP.png',
  ]);
});

test('the file of a map is named after the embedding that it is drawn on, and no other file is', () => {
  const nameOf = (content: FigureContent, map: string) =>
    imageFileName(
      {
        datasetName: 'd',
        title: 'T',
        plotKind: plotShape(content),
        source: { dataset_filename: 'd', content },
      },
      'svg',
      'd',
      map,
    );
  expect(nameOf({ kind: 'obs-umap', column: 'sample' }, 'PCA 2, 3')).toBe('d_T_PCA_2_3.svg');
  expect(nameOf({ kind: 'embedding-density' }, 't-SNE')).toBe('d_T_Density_on_the_t-SNE.svg');
  expect(nameOf({ kind: 'gene-scatter', x: 'CD3D', y: 'CD79A' }, 'PCA')).toBe('d_T_Scatter_of_cells.svg');
});

test('the age of an image is Just now up to a minute, then minutes, hours, and the date', () => {
  const now = new Date(2026, 4, 20, 12).getTime();
  expect(imageAge(now - 60_000, now)).toBe('Just now');
  expect(imageAge(now - 59 * 60_000, now)).toBe('59m ago');
  expect(imageAge(now - 23 * 3_600_000, now)).toBe('23h ago');
  expect(imageAge(now - 48 * 3_600_000, now)).toBe('5/18/2026');
});

test('a file has the name that people give the dataset, where it is known', () => {
  const image = { datasetName: 'demo-1.h5ad', title: 'CD3D', plotKind: 'umap' } as const;
  expect(imageFileName(image, 'png', 'Breast tumours / 1')).toBe('Breast_tumours_1_CD3D_UMAP.png');
});

test('the dataset of an image is named by the catalogue or by the owner of an upload', () => {
  const catalogue = { Breast: { Ductal: [catalogueDataset({ dataset_filename: 'one', name: 'Tumours' })] } };
  const files = [{ id: 'f1', file_name: 'My cells' }];
  const of = (datasetName: string) => datasetNameOf({ datasetName, diseaseName: 'Breast' }, catalogue, files);
  expect([of('one'), of('custom:f1'), of('custom:f2'), of('two')]).toEqual([
    'Tumours',
    'My cells',
    undefined,
    undefined,
  ]);
});
