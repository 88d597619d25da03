import type { Figure } from '../drawing/figure.ts';
import { fileFigure, type TitleBlock } from '../drawing/file-figure.ts';
import { geneMatrixFigure } from '../drawing/gene-matrix/gene-matrix-figure.ts';
import type { GeneMatrixSpec } from '../drawing/gene-matrix/spec.ts';
import { cleanLabel } from '../drawing/text/fit-text.ts';
import { fewCells } from '../plot-words.ts';
import { type GeneByDatasetInput, geneByDatasetReading } from './reading.ts';

/**
 * Datasets by cell types as dots, with the sizes and colours of `sc.pl.dotplot`: a gene's share and mean in each.
 * Limits and errors as for {@link geneMatrixFigure}.
 */
export function geneByDatasetFigure(
  input: GeneByDatasetInput,
  titleBlock?: TitleBlock,
): Figure<GeneMatrixSpec & { readonly kind: 'gene-by-dataset' }> {
  const { gene, cellTypes, datasets } = input;
  const types = datasets.flatMap((dataset) => cellTypes.map((_, place) => dataset.types[place]));
  const figure = geneMatrixFigure('gene-by-dataset', 'dots', {
    title: gene,
    datasetName: 'All datasets that have it',
    groupTitle: 'Dataset',
    groups: datasets.map(({ name, types: own }) => ({
      label: name,
      cells: own.reduce((sum, type) => sum + (type?.cells ?? 0), 0),
    })),
    genes: cellTypes.map((symbol) => ({ symbol })),
    mean: Float64Array.from(types, (type) => type?.mean ?? NaN),
    fraction: Float64Array.from(types, (type) => (type ? type.expressing / type.cells : NaN)),
    byDataset: { cells: types.map((type) => type?.cells ?? 0) },
    notes: types.includes(undefined) ? ['no dot: no such cells'] : [],
    fewCells,
  });
  const { spec } = figure;
  const words = {
    title: `Dot plot: ${spec.title} by ${spec.groupTitle} and cell type, ${spec.datasetName}`,
    reading: cleanLabel(geneByDatasetReading(input)),
    cautions: [],
  };
  return fileFigure(
    { ...figure, spec: { ...spec, words } } as unknown as Figure,
    titleBlock,
  ) as typeof figure;
}
