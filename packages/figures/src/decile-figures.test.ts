import { endHistogram, valueEnds } from '@cellfolio/analysis';
import { expect, test } from 'vitest';
import { figureContent, inputsOf } from './all-content.ts';
import type { CommonSpec, Figure } from './drawing/figure.ts';
import { FigureInputError } from './drawing/checked-input.ts';
import { renderSvg } from './drawing/render-figure.ts';
import { box, overlap } from './drawing/scene/text-box.test-data.ts';
import type { Spec } from './end-distribution/draw.ts';
import { endsOf } from './deciles.test-data.ts';
import { hostileNames, mixture } from './mixture.test-data.ts';
import { plotFigure } from './all-plots.ts';
import { simulatedTest } from './pseudobulk.test-data.ts';
import { sampleHeatmapFigure } from './sample-heatmap/figure.ts';
import { numbersOf, summariseFigure } from './all-words.ts';

const datasetName = 'Lung';
const types = ['T cell', 'B cell', 'NK', hostileNames[0]!];
const { column } = mixture(2000, types);
const parts = {
  column,
  columnName: 'cell_type',
  title: 'Cell type',
  palette: 'cell-type',
  chosen: [],
} as const;
const cases = { score: endsOf(2000, 0), gene: endsOf(2000, 0.7), rare: endsOf(2000, 0.97) };
const hostile = { ...cases.gene, title: '<b>&"</title>', samples: { column: hostileNames[1]!, count: 3 } };
const inputs = { ...cases, hostile };

test.each(
  Object.entries(inputs).flatMap(([name, ends]) =>
    (['end-distribution', 'end-composition'] as const).map((kind) => [kind, name, ends] as const),
  ),
)(
  'the %s of %s is sound SVG whose texts neither touch nor leave it, and has words',
  async (kind, _, ends) => {
    const figure = plotFigure({ kind }, { ends, parts }, { datasetName });
    const { spec, drawing } = figure;
    for (const one of [spec, drawing.fit(spec, { width: 340, height: 260 }).spec] as CommonSpec[]) {
      const { marks, width, height } = drawing.scene(one);
      const boxes = marks.filter((mark) => mark.kind === 'text').map(box);
      expect(
        boxes.filter(
          ({ x, y, width: w, height: h }) => x < 2 || y < 2 || x + w > width - 2 || y + h > height - 2,
        ),
      ).toEqual([]);
      expect(boxes.filter((own, i) => boxes.some((other, j) => j < i && overlap(own, other)))).toEqual([]);
    }
    const svg = await renderSvg(figure);
    expect(svg).not.toMatch(/NaN|Infinity|<script|<b>/);
    const words = summariseFigure(numbersOf(JSON.parse(JSON.stringify(spec)))!);
    expect(words.split('\n\n')[1]).toMatch(/\d.*\./);
  },
);

test('bars of the ends have all their cells, and zeros too many for the axis are cut and counted', () => {
  const { spec, drawing } = plotFigure(
    { kind: 'end-distribution' },
    { ends: cases.gene, parts },
    { datasetName },
  ) as unknown as Figure<Spec>;
  const cells = (part: 0 | 1 | 2) =>
    [...spec.bins, spec.floor!.cells].reduce((sum, bin) => sum + bin[part], 0);
  expect([cells(0), cells(2)]).toEqual([spec.low.cells, spec.high.cells]);
  expect(cells(0) + cells(1) + cells(2)).toBe(2000);
  const texts = drawing.scene(spec).marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []));
  expect(texts).toContainEqual(expect.stringMatching(/^1,\d{3} cells at 0$/));
});

test('the composition counts the cells of both ends and no others', () => {
  const { spec } = plotFigure({ kind: 'end-composition' }, { ends: cases.score, parts }, { datasetName });
  const { groups } = spec as CommonSpec & { groups: { label: string; cells: number }[] };
  expect(groups.map(({ label }) => label)).toEqual(['highest end', 'lowest end']);
  expect(groups.map(({ cells }) => cells)).toEqual([cases.score.high.cells, cases.score.low.cells]);
});

test('a distribution of no cells is an error that names what lacks', () => {
  const values = new Float64Array(20).fill(NaN);
  const ends = valueEnds({ values }, { share: 10, minCells: 1 });
  const unranked = { ...cases.score, histogram: endHistogram(values, ends) };
  const draw = () => plotFigure({ kind: 'end-distribution' }, { ends: unranked }, { datasetName });
  expect(draw).toThrow(FigureInputError);
});

test('a figure of ends names what cells were ranked by', () => {
  const by = { of: 'gene', gene: 'CD8A' } as const;
  const content = figureContent.parse({ kind: 'end-distribution', by, samples: 'donor' });
  expect(inputsOf(content)).toMatchObject({
    ends: { from: 'ends', parameters: { by, share: 10, samples: 'donor', min_sample_cells: 10 } },
  });
});

test('rows of a heatmap of samples are scaled about their own mean, those higher in A first', () => {
  const tested = simulatedTest({ perSide: 4, genes: 200, isPaired: true });
  const { logCpm } = tested.gene!;
  const gene = (symbol: string, logFoldChange: number, values: ArrayLike<number>) => ({
    symbol,
    logCpm: values,
    logFoldChange,
    adjustedP: 0.01,
  });
  const surest = [
    gene(
      'DOWN',
      -2,
      Float64Array.from(logCpm, (value) => -value),
    ),
    gene('UP', 2, logCpm),
    gene('FLAT', 0, new Float64Array(8).fill(3)),
  ];
  const { spec } = sampleHeatmapFigure({ ...tested, surest, datasetName });
  expect(spec.genes.map(({ gene: name }) => name)).toEqual(['UP', 'DOWN', 'FLAT']);
  const [up, down, flat] = spec.genes.map(({ scores }) => scores);
  expect(up!.reduce((sum, score) => sum + score, 0)).toBeCloseTo(0, 2);
  expect(down).toEqual(up!.map((score) => (score === 0 ? 0 : -score)));
  expect(flat).toEqual(new Array<number>(8).fill(0));
  expect(() => sampleHeatmapFigure({ ...tested, surest: [], datasetName })).toThrow(FigureInputError);
});
