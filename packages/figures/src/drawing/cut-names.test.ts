import { expect, test } from 'vitest';
import { figureOfKind } from '../every-kind.test-data.ts';
import { plots } from '../all-plots.ts';
import { fitToView } from './render-figure.ts';

const views = [
  undefined,
  { width: 470, height: 250 },
  { width: 700, height: 420 },
  { width: 1300, height: 640 },
];
const all = [...plots.keys()].flatMap((kind) => views.map((view) => [kind, view] as const));

test.each(all)(
  'of a %s of long names (%j) no two look alike, and each that is cut is there whole',
  (kind, view) => {
    const figure = figureOfKind(kind, 'long');
    const spec = view === undefined ? figure.spec : fitToView(figure, { ...view, ratio: 1 }).spec;
    const texts = figure.drawing.scene(spec).marks.filter((mark) => mark.kind === 'text');
    const shown = new Map<string, Set<string>>();
    expect(texts.filter(({ text, full }) => text.includes('…') && full === undefined)).toEqual([]);
    for (const { text, full } of texts) {
      if (full !== undefined) shown.set(full, (shown.get(full) ?? new Set()).add(text));
    }
    const cuts = Array.from(shown.values(), (lines) => [...lines].join(' '));
    expect(new Set(cuts).size, cuts.join('\n')).toBe(cuts.length);
  },
);

test.each(['gene-violin', 'score-violin', 'violin', 'ridge', 'quality'])(
  'the file of a %s is as high as its names need to be whole',
  (kind) => {
    const { drawing, spec } = figureOfKind(kind, 'long');
    const cut = drawing.scene(spec).marks.flatMap((mark) => (mark.kind === 'text' ? (mark.full ?? []) : []));
    expect(cut.filter((name) => name.startsWith('Exhausted'))).toEqual([]);
    expect(spec.size.height).toBeLessThan(900);
  },
);
