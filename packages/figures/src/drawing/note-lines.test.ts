import { expect, test } from 'vitest';
import { figureContent } from '../all-content.ts';
import { figureOfKind } from '../every-kind.test-data.ts';
import { genes, groups, samples, setting } from '../group-figures.test-data.ts';
import { plotFigure, plots } from '../all-plots.ts';
import { wordsOfFile } from '../words-of-file.ts';
import { fitToView, renderSvg } from './render-figure.ts';

const content = { kind: 'violin', of: { measure: 'gene', gene: 'x0' }, points: true, samples: 'sample' };
const figure = plotFigure(
  figureContent.parse(content),
  { measure: genes[0], groups, split: [], samples: [samples] },
  setting,
);

async function textsIn(width: number, height: number) {
  const { spec } = fitToView(figure, { width, height, ratio: 1 });
  const svg = await renderSvg(figure, { width, height, ratio: 1 });
  const lines = figure.drawing
    .scene(spec)
    .marks.flatMap((mark) => (mark.kind === 'text' && mark.x === 16 && mark.y < 40 ? [mark.text] : []));
  return { lines, cautions: wordsOfFile(new TextEncoder().encode(svg))!.cautions.join(' ') };
}

test('a card says in two lines what its points and dots are, and a large view in one', async () => {
  const card = await textsIn(430, 260);
  expect(card.lines).toHaveLength(2);
  expect(card.lines.join(' ')).toContain(figure.spec.summary.split(' · ')[0]);
  expect(card.lines.join(' ')).toMatch(/points.*means of \d+ samples/);
  const large = await textsIn(1300, 640);
  expect(large.lines).toEqual([figure.spec.summary]);
});

test('the words of a size name what its two lines cannot hold, and nothing is cut', async () => {
  const { lines, cautions } = await textsIn(215, 220);
  expect(lines.join(' ')).not.toContain('…');
  expect(lines.join(' ')).not.toContain('means of');
  expect(cautions).toMatch(/no room to say: .*means of \d+ samples/);
});

test.each([...plots.keys()])(
  'the first lines of a %s in a card are whole, and begin nowhere with a dot',
  (kind) => {
    const of = figureOfKind(kind, 'usual');
    const { spec } = fitToView(of, { width: 490, height: 255, ratio: 1 });
    for (const mark of of.drawing.scene(spec).marks) {
      if (mark.kind !== 'text' || mark.x !== 16 || mark.y > 40) continue;
      expect(mark.text).not.toMatch(/…|^·|·$/);
    }
  },
);
