import { expect, test } from 'vitest';
import type { TextMark } from './drawing/scene/scene.ts';
import { renderSvg } from './drawing/render-figure.ts';
import { gradientCurveFigure, gradientHeatmapFigure } from './gradient/figure.ts';
import { gradient, along } from './axes.test-data.ts';
import { hostileNames, mixture } from './mixture.test-data.ts';
import { plotFigure } from './all-plots.ts';
import { numbersOf, summariseFigure } from './all-words.ts';

const datasetName = 'Gut';
const textsOf = (marks: readonly { kind: string }[]) =>
  marks.filter((mark): mark is TextMark => mark.kind === 'text').map(({ text }) => text);
const wordsOf = (spec: object) => summariseFigure(numbersOf(JSON.parse(JSON.stringify(spec)))!);

test('a heatmap along an axis orders genes by their peaks, names the axis and gives sizes of bins', () => {
  const { spec, drawing } = gradientHeatmapFigure({ datasetName, gradient: gradient() });
  expect(spec.genes.map(({ gene, peak }) => [gene, peak])).toEqual([
    ['FALLS', 0],
    ['TURNS', 1.8],
    ['RISES', 3.4],
  ]);
  const texts = textsOf(drawing.scene(spec).marks);
  expect(texts).toContain('the expression of LGR5');
  expect(texts).toContain('mean log-normalized expression of bins of 79 to 240 cells');
  const words = wordsOf(spec);
  expect(words).toContain('in 3 bins of 399 cells along the expression of LGR5, each gene');
  expect(words).toContain('399 cells are few.');
});

test('curves begin and end where the axis does, and a single bin is drawn too', () => {
  const { spec, drawing } = gradientCurveFigure({ datasetName, gradient: gradient() });
  expect(spec.ends).toEqual([0, 3.4]);
  const texts = textsOf(drawing.scene(spec).marks);
  for (const tick of ['0', '2', '3.4']) expect(texts).toContain(tick);
  expect(wordsOf(spec)).toContain('is highest, 3, at 3.4');
  const one = gradientCurveFigure({
    datasetName,
    gradient: gradient({ bins: { sizes: [30], places: [2] }, curves: [along('ONE', 0.3, [1])] }),
  });
  const numbers = one.drawing.scene(one.spec).marks.flatMap((mark) => Object.values(mark).flat());
  expect(numbers.filter((value) => Number.isNaN(value))).toEqual([]);
});

test('an axis on the map says which cells are not tested', () => {
  const { embedding } = mixture(400, ['a', 'b']);
  const { spec } = plotFigure(
    { kind: 'gradient-umap' },
    { embedding, gradient: gradient() },
    { datasetName },
  );
  expect(spec.summary).toContain('1 not tested');
  expect(wordsOf(spec)).toContain('Places of 399 cells go from 0 to 3.99');
});

test('hostile names stay text', async () => {
  const [axis, unit] = hostileNames as [string, string];
  const genes = hostileNames.slice(0, 4).map((gene) => along(gene, 0.5, [0, 1, 2]));
  const hostileGradient = gradient({ axis, unit, heatmap: genes, curves: genes });
  for (const figure of [
    gradientHeatmapFigure({ datasetName, gradient: hostileGradient }),
    gradientCurveFigure({ datasetName, gradient: hostileGradient }),
  ]) {
    expect(await renderSvg(figure)).not.toMatch(/<script|<img|onload=/i);
  }
});
