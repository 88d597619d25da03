import { expect, test } from 'vitest';
import { dotPlotFigure } from '../../gene-matrix/figure.ts';
import { tenTypes } from '../../mixture.test-data.ts';
import { fitToView, minFontSize } from '../render-figure.ts';
import { box, overlap } from '../scene/text-box.test-data.ts';
import { markerMatrix } from './marker-matrix.test-data.ts';

const lists = [
  'Regulatory T cells',
  'Exhaustion',
  'Interferon response of macrophages',
  'Cycling',
  'Antigen presentation, class II',
  'Hypoxia',
];

function figureOf(brackets: number, genes: number, rows: number) {
  const matrix = markerMatrix(lists.slice(0, brackets), genes);
  const groups = Array.from({ length: rows }, (_, i) => ({ label: `Cluster ${i}`, cells: 100 + i }));
  const size = rows * matrix.genes.length;
  return dotPlotFigure({
    ...matrix,
    groups,
    mean: new Float64Array(size).fill(1),
    fraction: new Float64Array(size).fill(0.5),
  });
}

const cases = [2, 3, 6].flatMap((brackets) =>
  [1, 2, 5].flatMap((genes) => [4, 12].map((rows) => [brackets, genes, rows] as const)),
);

test.each(cases)(
  'the names of %i brackets of %i genes over %i rows stand over them, in a key, or are reported as left out',
  (brackets, genes, rows) => {
    for (const [width, height] of [
      [420, 260],
      [330, 240],
      [560, 330],
      [1200, 700],
    ] as const) {
      const figure = figureOf(brackets, genes, rows);
      const { spec, zoom } = fitToView(figure, { width, height, ratio: 1 });
      const { marks, ...scene } = figure.drawing.scene(spec);
      const texts = marks.filter((mark) => mark.kind === 'text');
      const bracketNames = [...new Set(spec.genes.map(({ bracket }) => bracket!))];
      const leftOut = spec.fitted?.leftOut ?? '';
      const isShown = (name: string): boolean => {
        const over = texts.find(({ text, full }) => text === name || full === name);
        // Neither line is all of a name on two lines.
        if (over === undefined)
          return name.split(/[\s,]+/).every((word) => texts.some(({ text }) => text.includes(word)));
        if (!/^\d+$/.test(over.text)) return true;
        return texts.some(({ text }) => ` ${text}`.includes(` ${over.text} ${name.slice(0, 4)}`));
      };
      const missing = bracketNames.filter((name) => !isShown(name));
      expect(missing, `${width} × ${height}`).toEqual(leftOut.includes('brackets') ? bracketNames : []);
      const boxes = texts.map(box);
      const touching = texts.flatMap((text, i) =>
        texts
          .slice(0, i)
          .flatMap((other, j) => (overlap(boxes[i]!, boxes[j]!) ? [[text.text, other.text]] : [])),
      );
      const outside = texts.filter(
        (_, i) => boxes[i]!.x < 2 || boxes[i]!.y + boxes[i]!.height > scene.height - 2,
      );
      expect({ touching, outside }).toEqual({ touching: [], outside: [] });
      expect(Math.min(...texts.map(({ size }) => size * zoom))).toBeGreaterThan(minFontSize - 1e-9);
    }
  },
);

test('in a large view every bracket has its name, whatever the number of rows', () => {
  for (const [brackets, genes, rows] of cases) {
    const { spec, isWhole } = fitToView(figureOf(brackets, genes, rows), {
      width: 1200,
      height: 640,
      ratio: 1,
      whole: true,
    });
    expect([isWhole, spec.fitted?.leftOut]).toEqual([true, '']);
  }
});

test('brackets of markers without room for their names have the numbers of the rows that they are named as', () => {
  const types = tenTypes.map((type) => `${type} of the bronchial epithelium`);
  const figure = dotPlotFigure(markerMatrix(types, 1));
  const { spec } = fitToView(figure, { width: 496, height: 256, ratio: 1 });
  const { marks } = figure.drawing.scene(spec);
  const texts = marks.filter((mark) => mark.kind === 'text');
  expect(spec.fitted!.leftOut).not.toContain('brackets');
  expect(Math.min(spec.groups.length, spec.genes.length)).toBeGreaterThan(3);
  spec.groups.forEach(({ label }, row) => {
    // Over the columns and beside the rows.
    const numbered = texts.filter(({ full }) => full === label).map(({ text }) => /^\d+/.exec(text)?.[0]);
    const columns = spec.genes.filter(({ bracket }) => bracket === label).length;
    expect(numbered).toEqual(Array.from({ length: 1 + columns }, () => String(row + 1)));
  });
});

test('names of lists that could not stand whole are numbers with a key in a file, clear of all else', () => {
  const long = lists.map((list) => `${list} of the bronchial epithelium`);
  const matrix = markerMatrix(long, 2);
  const size = 3 * matrix.genes.length;
  const figure = dotPlotFigure({
    ...matrix,
    groups: ['A', 'B', 'C'].map((label) => ({ label, cells: 100 })),
    mean: new Float64Array(size).fill(1),
    fraction: new Float64Array(size).fill(0.5),
  });
  const { marks, height } = figure.drawing.scene(figure.spec);
  const texts = marks.filter((mark) => mark.kind === 'text');
  expect(texts.filter(({ full = '' }) => long.includes(full)).map(({ text }) => text)).toEqual(
    long.map((_, i) => String(i + 1)),
  );
  const key = texts.map(({ text }) => text).join(' ');
  long.forEach((list, i) => expect(key).toContain(`${i + 1} ${list}`));
  const boxes = texts.map(box);
  const touching = texts.flatMap((text, i) =>
    texts.slice(0, i).flatMap((other, j) => (overlap(boxes[i]!, boxes[j]!) ? [[text.text, other.text]] : [])),
  );
  expect(touching).toEqual([]);
  expect(Math.max(...boxes.map((one) => one.y + one.height))).toBeLessThan(height);
});

test('columns grow in a large view until the names of their brackets lie over them', () => {
  const figure = figureOf(5, 3, 10);
  const { spec } = fitToView(figure, { width: 1264, height: 672, ratio: 1, whole: true });
  const texts = figure.drawing.scene(spec).marks.filter((mark) => mark.kind === 'text');
  expect(texts.some(({ text }) => text.startsWith(`1 ${lists[0]!}`))).toBe(false);
  const allText = texts.map(({ text }) => text).join(' ');
  for (const list of lists.slice(0, 5)) for (const word of list.split(' ')) expect(allText).toContain(word);
});

test('a card of few genes has the counts and the whole names of its groups, and a bar whose ends lie below it', () => {
  const matrix = markerMatrix(['a', 'b'], 1);
  const groups = [
    { label: 'Tumour <b>cells</b> of=1+1', cells: 3120 },
    { label: '2', cells: 40 },
  ];
  const figure = dotPlotFigure({
    ...matrix,
    groups,
    genes: [{ symbol: 'CD3D' }, { symbol: 'EPCAM' }],
    mean: Float64Array.of(0.0634, 1, 2, 3.66),
  });
  const { spec } = fitToView(figure, { width: 496, height: 560, ratio: 1 });
  const { marks } = figure.drawing.scene(spec);
  const texts = marks.filter((mark) => mark.kind === 'text');
  expect(texts.map(({ text }) => text)).toEqual(expect.arrayContaining([groups[0]!.label, 'cells', '3,120']));
  const bar = marks.find((mark) => mark.kind === 'ramp')!;
  for (const end of ['0.0634', '3.66']) {
    const { x, width } = box(texts.find(({ text }) => text === end)!);
    expect(x).toBeGreaterThan(bar.x - 1);
    expect(x + width).toBeLessThan(bar.x + bar.width + 1);
  }
});
