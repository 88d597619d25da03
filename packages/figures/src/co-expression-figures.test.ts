import { expect, test } from 'vitest';
import { renderSvg } from './drawing/render-figure.ts';
import type { TextMark, VectorMark } from './drawing/scene/scene.ts';
import { box, overlap } from './drawing/scene/text-box.test-data.ts';
import { forceLayout } from './co-expression/force-layout.ts';
import { geneNetworkFigure } from './co-expression/gene-network.ts';
import { hostileNames } from './mixture.test-data.ts';
import { moduleHeatmapFigure } from './co-expression/module-heatmap.ts';
import { modulesOf } from './modules.test-data.ts';
import { numbersOf, summariseFigure } from './all-words.ts';

const datasetName = 'Marrow';

const textsOf = (marks: readonly VectorMark[]): TextMark[] =>
  marks.filter((mark): mark is TextMark => mark.kind === 'text');

test('a heatmap has a byte for each pair, 0 in the middle, and names its modules in order', () => {
  const { spec, drawing } = moduleHeatmapFigure({ datasetName, modules: modulesOf([20, 15]) });
  const { marks } = drawing.scene(spec);
  const pixels = marks.find((mark) => mark.kind === 'pixels')!;
  expect([pixels.columns, pixels.rows, pixels.levels.length]).toEqual([37, 37, 37 * 37]);
  expect([pixels.levels[0], pixels.levels[1]]).toEqual([128, 255]);
  expect(pixels.levels.at(-2)).toBe(Math.round(255 * (11 / 24)));
  expect(textsOf(marks).map(({ text }) => text)).toEqual(
    expect.arrayContaining(['Module 1 · 20', 'Module 2 · 15', '−12', '12']),
  );
  const words = summariseFigure(numbersOf(JSON.parse(JSON.stringify(spec)))!);
  expect(words).toContain('2 modules of 35 genes, 2 genes in none');
  expect(words).toContain(
    'Module 1 has 20 genes; GENE0, GENE1, GENE2, GENE3 and GENE4 vary most with the others.',
  );
});

test('names of many small modules do not touch, in the figure and in a narrow view', () => {
  const { spec, drawing } = moduleHeatmapFigure({
    datasetName,
    modules: modulesOf(Array.from({ length: 30 }, () => 5)),
  });
  const narrow = drawing.fit(spec, { width: 320, height: 300 }).spec;
  for (const scene of [drawing.scene(spec), drawing.scene(narrow)]) {
    const boxes = textsOf(scene.marks).map(box);
    boxes.forEach((one, at) => {
      for (const other of boxes.slice(at + 1)) expect(overlap(one, other)).toBe(false);
      expect(one.x).toBeGreaterThanOrEqual(0);
      expect(one.x + one.width).toBeLessThanOrEqual(scene.width);
    });
  }
});

test('a network joins genes of one module more closely than those of two, and is the same each time', () => {
  const modules = modulesOf([30, 30]);
  const { spec } = geneNetworkFigure({ datasetName, modules });
  expect(geneNetworkFigure({ datasetName, modules }).spec).toEqual(spec);
  expect(spec.nodes).toHaveLength(60);
  const apart = (one: number, other: number) => {
    const [a, b] = [spec.nodes[one]!.at, spec.nodes[other]!.at];
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
  };
  const mean = (isSame: boolean) => {
    const distances = spec.nodes.flatMap((node, one) =>
      spec.nodes.flatMap((second, other) =>
        other > one && (node.module === second.module) === isSame ? [apart(one, other)] : [],
      ),
    );
    return distances.reduce((sum, distance) => sum + distance, 0) / distances.length;
  };
  expect(mean(true)).toBeLessThan(mean(false));
  expect(spec.edges.every(({ score }) => score >= 3)).toBe(true);
});

test('a network names genes without one name on another, and says which modules there are', () => {
  const { spec, drawing } = geneNetworkFigure({ datasetName, modules: modulesOf([30, 20, 12]) });
  const texts = textsOf(drawing.scene(spec).marks);
  expect(Math.min(...texts.map(({ size }) => size))).toBeGreaterThanOrEqual(11);
  expect(texts.filter(({ text }) => text.startsWith('GENE')).length).toBeGreaterThan(20);
  const boxes = texts.map(box);
  boxes.forEach((one, at) => {
    for (const other of boxes.slice(at + 1)) expect(overlap(one, other)).toBe(false);
  });
  expect(texts.map(({ text }) => text)).toContain('Module 3 (12)');
});

test('without modules both figures say so', () => {
  const none = modulesOf([], { genes: [], scores: new Float32Array(0) });
  const heatmap = moduleHeatmapFigure({ datasetName, modules: none });
  expect(textsOf(heatmap.drawing.scene(heatmap.spec).marks).map(({ text }) => text)).toContain(
    'Fewer than two genes have local autocorrelation.',
  );
  const network = geneNetworkFigure({ datasetName, modules: none });
  expect(textsOf(network.drawing.scene(network.spec).marks).map(({ text }) => text)).toContain(
    'There is no module.',
  );
  expect(forceLayout(1, [])).toEqual([[0.5, 0.5]]);
});

test('hostile names stay text in both figures', async () => {
  const base = modulesOf([6]);
  const modules = {
    ...base,
    genes: base.genes.map(({ module, withinModule }, at) => ({
      gene: hostileNames[at % hostileNames.length]!,
      module,
      withinModule,
    })),
    modules: [{ name: 'Module 1', size: 6, hubs: hostileNames.slice(0, 5) }],
  };
  for (const figure of [
    moduleHeatmapFigure({ datasetName, modules }),
    geneNetworkFigure({ datasetName, modules }),
  ]) {
    expect(await renderSvg(figure)).not.toMatch(/<script|<img|onload=/i);
  }
});
