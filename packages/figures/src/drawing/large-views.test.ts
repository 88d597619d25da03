import { describe, expect, test } from 'vitest';
import { figureOfKind } from '../every-kind.test-data.ts';
import { plots } from '../all-plots.ts';
import { fitToView, minFontSize, renderSvg } from './render-figure.ts';
import type { TextMark, VectorMark, VectorScene } from './scene/scene.ts';
import { box, overlap } from './scene/text-box.test-data.ts';
import { wordsOfFile } from '../words-of-file.ts';

type Side = readonly [number, number];

function across(mark: VectorMark): readonly [Side, Side] {
  if (mark.kind === 'text') {
    const { x, y, width, height } = box(mark);
    return [
      [x, x + width],
      [y, y + height],
    ];
  }
  if (mark.kind === 'dot') {
    const { x, y, radius } = mark;
    return [
      [x - radius, x + radius],
      [y - radius, y + radius],
    ];
  }
  if (mark.kind === 'area') {
    return [
      [mark.xs[0]!, mark.xs.at(-1)!],
      [Math.min(...mark.tops), Math.max(...mark.bottoms)],
    ];
  }
  if (mark.kind === 'triangle') {
    const [a, b, c, d, e, f] = mark.corners;
    return [
      [Math.min(a, c, e), Math.max(a, c, e)],
      [Math.min(b, d, f), Math.max(b, d, f)],
    ];
  }
  return [
    [mark.x, mark.x + mark.width],
    [mark.y, mark.y + mark.height],
  ];
}

function extentOf(scene: VectorScene) {
  const [first, ...rest] = scene.marks;
  const marks = first?.kind === 'text' && first.x === 16 && first.y === 20 ? rest : scene.marks;
  const sides = marks.map(across);
  const of = (which: 0 | 1): Side => [
    Math.min(...sides.map((side) => side[which][0])),
    Math.max(...sides.map((side) => side[which][1])),
  ];
  return { x: of(0), y: of(1) };
}

const kinds = [...plots.keys()].filter((kind) => figureOfKind(kind, 'usual').drawing.points === undefined);

describe.each([
  [1360, 700],
  [944, 560],
])('in a full view of %i by %i', (width, height) => {
  test.each(kinds)('a %s of few rows stands in the middle or fills it, and within its edges', (kind) => {
    const figure = figureOfKind(kind, 'usual');
    const { spec, zoom } = fitToView(figure, { width, height, ratio: 1, whole: true });
    const { x, y } = extentOf(figure.drawing.scene(spec));
    const [wide, high] = [width / zoom, height / zoom];
    expect([x[0], y[0]].every((side) => side > 0)).toBe(true);
    expect([x[1] <= wide, y[1] <= high]).toEqual([true, true]);
    // Above is the first line of the figure too.
    expect(Math.abs(x[0] - (wide - x[1]))).toBeLessThan(0.16 * wide);
    expect(Math.abs(y[0] - 32 - (high - y[1]))).toBeLessThan(0.12 * high);
  });
});

const grouped = ['gene-dot-plot', 'dot-plot', 'matrix-plot', 'heatmap', 'stacked-violin', 'composition-bar'];

test.each(grouped)(
  'a %s in a small card has a legend with type of at least 11 px, clear of all else',
  (kind) => {
    const figure = figureOfKind(kind, 'usual');
    const { spec, zoom } = fitToView(figure, { width: 320, height: 192, ratio: 1 });
    expect(spec.fitted?.without ?? []).not.toContain('the legend');
    const { marks } = figure.drawing.scene(spec);
    const texts = marks.filter((mark): mark is TextMark => mark.kind === 'text');
    expect(Math.min(...texts.map(({ size }) => size * zoom))).toBeGreaterThan(minFontSize - 1e-9);
    const boxes = texts.map(box);
    const touching = boxes.filter((one, i) => boxes.some((other, j) => i !== j && overlap(one, other)));
    expect(touching).toEqual([]);
  },
);

test('the words of a card name what it has no room for, and those of a larger view do not', async () => {
  const figure = figureOfKind('enrichment-bar', 'usual');
  const cautionsAt = async (width: number) =>
    wordsOfFile(new TextEncoder().encode(await renderSvg(figure, { width, height: 200, ratio: 1 })))!
      .cautions;
  expect(await cautionsAt(200)).toContain('In this size there is no room for the overlaps.');
  expect((await cautionsAt(900)).join(' ')).not.toContain('In this size');
});
