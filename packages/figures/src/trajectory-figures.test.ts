import { expect, test } from 'vitest';
import { FigureInputError } from './drawing/checked-input.ts';
import type { TextMark } from './drawing/scene/scene.ts';
import { categorical, hostileNames } from './mixture.test-data.ts';
import { pagaFigure } from './trajectory/paga-graph.ts';
import { pagaScene } from './trajectory/paga-scene.ts';
import { axisCurveDrawing } from './drawing/axis-curve/figure.ts';
import { pseudotimeCurveFigure, pseudotimeHeatmapFigure } from './trajectory/figure.ts';
import { axisHeatmapDrawing } from './drawing/axis-heatmap/figure.ts';
import { renderSvg } from './drawing/render-figure.ts';
import { along, column, embedding, trajectory } from './axes.test-data.ts';
import { numbersOf, summariseFigure } from './all-words.ts';

const datasetName = 'Marrow';
const textsOf = (marks: readonly { kind: string }[]) =>
  marks.filter((mark): mark is TextMark => mark.kind === 'text').map(({ text }) => text);

test('a PAGA graph draws the tree over stronger edges, and says which weak ones it leaves out', () => {
  const obs = { column, title: 'Cell type', columnName: 'type', palette: 'cluster' } as const;
  const { spec } = pagaFigure({ datasetName, embedding, column: obs, trajectory: trajectory() });
  expect(spec.edges.map(({ nodes, isInTree }) => [nodes, isInTree])).toEqual([
    [[1, 2], false],
    [[0, 2], true],
    [[0, 1], true],
  ]);
  expect(spec.leftOut).toBe(1);
  const words = summariseFigure(numbersOf(JSON.parse(JSON.stringify(spec)))!);
  expect(words).toContain('The strongest join stem and red (0.8)');
  const { marks, panel } = pagaScene(spec);
  const nodes = marks.filter((mark) => mark.kind === 'dot' && mark.edge !== undefined);
  expect(nodes).toHaveLength(4);
  for (const node of nodes as { x: number; y: number }[]) {
    expect(node.x > panel.x && node.x < panel.x + panel.width).toBe(true);
    expect(node.y > panel.y && node.y < panel.y + panel.height).toBe(true);
  }
  const numbers = { title: 'Depth', columnName: 'depth', scores: new Float64Array(400), unit: 'depth' };
  expect(() => pagaFigure({ datasetName, embedding, column: numbers, trajectory: trajectory() })).toThrow(
    FigureInputError,
  );
});

test('a heatmap orders genes by their peaks, each from its lowest to its highest mean', () => {
  const { spec } = pseudotimeHeatmapFigure({ datasetName, trajectory: trajectory() });
  expect(spec.genes.map(({ gene, peak }) => [gene, peak])).toEqual([
    ['EARLY', 0.1],
    ['MIDDLE', 0.4],
    ['LATE', 0.9],
  ]);
  expect(spec.genes[2]!.scaled).toEqual([0, 0, 0.3333, 1]);
  expect(summariseFigure(numbersOf(JSON.parse(JSON.stringify(spec)))!)).toContain(
    'Genes whose means peak first: EARLY (at 0.1)',
  );
});

test('a heatmap without room keeps the genes most correlated, in their order, and says so', () => {
  const heatmap = Array.from({ length: 30 }, (_, i) => along(`G${i}`, (i + 1) / 40, [i % 4, 1, 0, 2]));
  const { spec } = pseudotimeHeatmapFigure({ datasetName, trajectory: trajectory({ heatmap }) });
  const fitted = axisHeatmapDrawing.fit(spec, { width: 400, height: 300 });
  expect(fitted.isWhole).toBe(false);
  expect(fitted.spec.genes.length).toBeLessThan(30);
  expect(Math.min(...fitted.spec.genes.map(({ rho }) => rho))).toBeGreaterThan(0.3);
  expect(textsOf(axisHeatmapDrawing.scene(fitted.spec).marks)[0]).toMatch(/of 30 genes fit here/);
});

test('curves do not go below zero where no mean does, and without genes the figure says why', () => {
  const { spec } = pseudotimeCurveFigure({ datasetName, trajectory: trajectory() });
  const { marks, panel } = axisCurveDrawing.scene(spec);
  const areas = marks.filter((mark) => mark.kind === 'area');
  expect(areas).toHaveLength(2);
  expect(Math.max(...areas[0]!.bottoms)).toBeLessThan(panel.y + panel.height);
  expect(summariseFigure(numbersOf(JSON.parse(JSON.stringify(spec)))!)).toContain(
    'LATE: its mean (log-normalized expression) goes from 0 to 3 and is highest, 3, at 0.9',
  );
  const none = pseudotimeCurveFigure({ datasetName, trajectory: trajectory({ curves: [] }) }).spec;
  expect(textsOf(axisCurveDrawing.scene(none).marks)).toContain('No gene has an adjusted p below 0.05.');
});

test('hostile names stay text in every figure', async () => {
  const names = hostileNames.slice(0, 4);
  const codes = Int16Array.from(column.codes);
  const input = trajectory({
    groups: names,
    root: { barcode: names[0]!, group: names[1]! },
    heatmap: names.map((gene) => along(gene, 0.5, [0, 1, 2, 3])),
    curves: names.map((gene) => along(gene, 0.5, [0, 1, 2, 3])),
  });
  const obs = {
    column: categorical(codes, names),
    title: names[0]!,
    columnName: 'type',
    palette: 'cluster',
  } as const;
  const figures = [
    pagaFigure({ datasetName, embedding, column: obs, trajectory: input }),
    pseudotimeHeatmapFigure({ datasetName, trajectory: input }),
    pseudotimeCurveFigure({ datasetName, trajectory: input }),
  ];
  for (const figure of figures) expect(await renderSvg(figure)).not.toMatch(/<script|<img|onload=/i);
});
