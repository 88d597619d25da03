import { expect, test } from 'vitest';
import { fitToView, minFontSize } from '../drawing/render-figure.ts';
import { categorical } from '../mixture.test-data.ts';
import { figure as kind, partsOfGroups } from './draw.ts';

const cells = 600;

function bars(count: number) {
  const groupsOf = (labels: number, name: string) => ({
    column: categorical(
      Int16Array.from({ length: cells }, (_, cell) => cell % labels),
      Array.from({ length: labels }, (_, at) => `${name} ${at}`),
    ),
    title: name,
    palette: 'cluster' as const,
  });
  const decision = partsOfGroups({
    groups: groupsOf(count, 'Sample'),
    parts: groupsOf(7, 'Type'),
    show: 'share',
    sort: { order: 'column' },
  });
  return kind.draw(decision, { datasetName: 'Lung' });
}

test.each([1, 2, 5, 20, 60])('%i bars use the height of a large view, and none is too thick', (count) => {
  const figure = bars(count);
  const view = { width: 1300, height: 700, ratio: 1, whole: true };
  const { spec, zoom } = fitToView(figure, view);
  expect(spec.groups).toHaveLength(count);
  const { marks, panel, height } = figure.drawing.scene(spec);
  const thickness = Math.max(
    ...marks.flatMap((mark) =>
      mark.kind === 'rectangle' && mark.width > 2 && mark.x >= panel.x && mark.x < panel.x + panel.width
        ? [mark.height]
        : [],
    ),
  );
  expect(thickness * zoom).toBeLessThanOrEqual(150);
  const [above, below] = [panel.y, height - panel.y - panel.height];
  // Above is the title of the groups, below the axis.
  expect(Math.abs(above - below)).toBeLessThan(40);
  // One bar stands in the middle.
  expect(panel.height).toBeGreaterThan((count === 1 ? 0.3 : 0.6) * height);
});

test.each([1, 2, 5, 20, 60])('%i bars in a quarter card have type of at least 11 pixels', (count) => {
  const figure = bars(count);
  const { spec, zoom } = fitToView(figure, { width: 420, height: 260, ratio: 1 });
  const texts = figure.drawing.scene(spec).marks.filter((mark) => mark.kind === 'text');
  expect(Math.min(...texts.map(({ size }) => size * zoom))).toBeGreaterThan(minFontSize - 1e-9);
});

test('of more groups than bars the cells of the bars are counted', () => {
  const { spec } = bars(100);
  expect(spec.groups).toHaveLength(60);
  expect(spec.summary).toBe('360 cells · the 60 largest of 100 groups');
  expect(bars(60).spec.summary).toBe('600 cells');
});
