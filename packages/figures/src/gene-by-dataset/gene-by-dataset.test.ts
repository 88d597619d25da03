import { expect, test } from 'vitest';
import { geneByDatasetFigure, type GeneByDatasetInput, renderSvg } from '../index.ts';
import { geneByDatasetReading } from './reading.ts';

const hostile = '<script>alert(1)</script>';
const type = (cells: number, expressing: number, mean: number | null) => ({ cells, expressing, mean });
const input: GeneByDatasetInput = {
  gene: 'CD79A',
  cellTypes: ['B cell', 'T cell', hostile],
  datasets: [
    { name: 'Lung', types: [type(1000, 912, 2.3114), type(3000, 0, 0), undefined] },
    { name: 'Blood', types: [type(400, 300, 1.5), type(600, 12, 0.02), type(5, 5, 9)] },
    { name: hostile, types: [undefined, type(100, 1, null), undefined] },
  ],
};

test('rows are datasets and columns cell types, with the cells behind each dot', () => {
  const { spec } = geneByDatasetFigure(input);
  expect(spec.summary).toBe('3 cell types in 3 datasets, 5,105 cells · no dot: no such cells');
  expect(spec.byDataset?.cells).toEqual([1000, 3000, 0, 400, 600, 5, 0, 100, 0]);
  expect(spec.fraction.slice(0, 6)).toEqual([0.912, 0, 0, 0.75, 0.02, 1]);
  expect(spec.mean.slice(3, 6)).toEqual([1.5, 0.02, 9]);
  expect([spec.dotMax, spec.meanDomain]).toEqual([1, [0, 9]]);
});

test('cells that do not express it have a small dot, cells that are not there none', () => {
  const { spec, drawing } = geneByDatasetFigure(input);
  const presentCount = spec.byDataset!.cells.filter((cells) => cells > 0).length;
  const { panel, marks } = drawing.scene(spec);
  const dots = marks.filter((mark) => mark.kind === 'dot' && mark.x < panel.x + panel.width);
  expect(dots).toHaveLength(presentCount);
});

test('of many datasets the largest are drawn, and a part of the page says what it leaves out', () => {
  const cellTypes = Array.from({ length: 400 }, (_, at) => `type ${at}`);
  const datasets = Array.from({ length: 70 }, (_, at) => ({
    name: `set ${at}`,
    types: cellTypes.map(() => type(100 + at, at, at / 10)),
  }));
  const { spec, drawing } = geneByDatasetFigure({ gene: 'G', cellTypes, datasets });
  expect(spec.summary).toMatch(/^150 of 400 cell types \(the first\) in 60 of 70 datasets \(the largest\), /);
  const { spec: fitted } = drawing.fit(spec, { width: 600, height: 400 });
  expect(fitted.fitted?.leftOut).toMatch(/^\d+ of 150 cell types and \d+ of 60 datasets$/);
});

test('the alternative text says what the dots show, and hostile names are text', async () => {
  const svg = await renderSvg(geneByDatasetFigure(input));
  expect(svg).toContain('<title>Dot plot: CD79A by Dataset and cell type, All datasets that have it</title>');
  expect(svg).toContain('in 91.2 % of 1,000 cells');
  expect(svg).not.toContain('<script');
});

test('two sentences say where it is expressed and which type is the strongest', () => {
  expect(geneByDatasetReading(input)).toBe(
    'CD79A is expressed most widely in “B cell” of “Lung”: in 91.2 % of 1,000 cells, with a mean of 2.31. Over all cell types, 24.1 % of 5,105 cells in 3 datasets express it, and “B cell” has the highest mean in 2 of the 2 datasets that express it.',
  );
  const { cellTypes } = input;
  expect(
    geneByDatasetReading({ ...input, datasets: [{ name: 'Lung', types: [type(50, 0, 0), type(9, 0, 0)] }] }),
  ).toBe('None of the 59 cells of 1 dataset with a cell type express CD79A.');
  expect(
    geneByDatasetReading({ gene: 'G', cellTypes, datasets: [{ name: 'Lung', types: [type(10, 5, 1)] }] }),
  ).toBe(
    'Over all cell types, 50.0 % of 10 cells in 1 dataset express G. No cell type has 20 cells in any of them.',
  );
  expect(geneByDatasetReading({ gene: 'G', cellTypes: [], datasets: [] })).toBe('');
});
