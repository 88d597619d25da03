import { expect, test } from 'vitest';
import type { CommonSpec } from '../drawing/figure.ts';
import { box } from '../marks.ts';
import { type Chart, fileSize, frame } from './frame.ts';
import { countRamp, swatches } from './legend.ts';

const spec: CommonSpec = {
  version: 1,
  kind: 'test',
  title: 'Title',
  datasetName: 'Lung',
  summary: '9 cells',
  size: { width: 600, height: 400 },
};

const groups = ['first', 'second', 'third', 'fourth'].map((label) => ({ label }));
const cells = [10, 40, 20, 30];
const bars: Chart = {
  x: { domain: [0, 40], name: 'Cells' },
  y: {
    rows: groups,
    weight: (row) => cells[row]!,
    title: 'Group',
    noun: 'groups',
    texts: [
      { title: 'cells', side: 'left', name: 'the counts', text: (row) => `${cells[row]!}` },
      { title: 'share', side: 'right', name: 'the shares', text: (row) => `${cells[row]!} %` },
    ],
  },
  legend: swatches('Part', [{ label: 'a part', colour: '#112233' }], 'part'),
  marks: [({ x, y }) => cells.flatMap((count, row) => box(x(0), y(row) - 3, x(count) - x(0), 6, '#112233'))],
};

const drawingOf = (chart: Chart) => frame({ chart: () => chart, sentence: () => 'Enlarge.' });

test('in a narrow page the texts beside rows yield from the last, and then the legend that is needed', () => {
  const missingAt = (width: number) =>
    drawingOf(bars).fit(spec, { width, height: 300 }).spec.fitted?.without ?? [];
  const orders = Array.from({ length: 80 }, (_, i) => missingAt(600 - 5 * i).join(', '));
  expect([...new Set(orders)]).toEqual([
    '',
    'the shares',
    'the counts, the shares',
    'the legend, the counts, the shares',
  ]);
});

test('the panel keeps its least width for as long as something beside it can yield', () => {
  const { fit, scene } = drawingOf(bars);
  const panels = Array.from({ length: 68 }, (_, i) => fit(spec, { width: 600 - 5 * i, height: 300 }).spec)
    .filter(({ fitted }) => fitted?.without?.length !== 3)
    .map((fitted) => scene(fitted).panel.width);
  expect(panels.length).toBeGreaterThan(40);
  expect(Math.min(...panels)).toBeGreaterThanOrEqual(120);
});

test('a legend that is not needed yields first, with no part missed', () => {
  const plane: Chart = {
    x: { domain: [0, 1], name: 'x' },
    y: { domain: [0, 1], name: 'y' },
    legend: countRamp(100, ['#000000', '#ffffff'], 'genes'),
    minPanel: 200,
    marks: [],
  };
  const { fit } = drawingOf(plane);
  expect(fit(spec, { width: 400, height: 300 }).spec.fitted).toEqual({ leftOut: '' });
  for (const size of [
    { width: 360, height: 300 },
    { width: 400, height: 210 },
  ]) {
    const { spec: fitted, isWhole } = fit(spec, size);
    expect(fitted.fitted?.without).toEqual(['the bar of counts']);
    expect(isWhole).toBe(true);
  }
});

test('of rows that do not all have room those of the greatest weight are drawn, in their order', () => {
  const { fit, scene } = drawingOf(bars);
  const { spec: fitted, isWhole } = fit(spec, { width: 600, height: 160 });
  expect(fitted.fitted?.leftOut).toBe('3 of 4 groups');
  expect(isWhole).toBe(false);
  const { marks } = scene(fitted);
  const texts = marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []));
  expect(texts.filter((text) => groups.some(({ label }) => label === text))).toEqual([
    'second',
    'third',
    'fourth',
  ]);
  const drawn = marks.filter((mark) => mark.kind === 'rectangle' && mark.height === 6);
  expect(drawn).toHaveLength(3);
});

test('a page too small for a picture has a sentence', () => {
  const { fit, scene } = drawingOf(bars);
  const { spec: fitted } = fit(spec, { width: 190, height: 160 });
  expect(scene(fitted).marks).toEqual([expect.objectContaining({ kind: 'text', text: 'Enlarge.' })]);
});

test('a file of rows has the height of its rows and the width of its legend', () => {
  const size = fileSize(spec, { chart: () => bars, sentence: () => '' });
  // 600 of the figure, and 192 of its legend.
  expect(size.width).toBe(792);
  const { scene } = drawingOf(bars);
  const { panel } = scene({ ...spec, size });
  expect(panel.height).toBe(4 * 32);
  expect(size.height).toBeGreaterThan(panel.y + panel.height);
});
