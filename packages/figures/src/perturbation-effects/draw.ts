import { countText, plural } from '@cellfolio/model';
import { z } from 'zod';
import { placedNames } from '../drawing/scene/placed-names.ts';
import { notSignificant, significant, smallSize } from '../drawing/scene/style.ts';
import { categoryLabels, ellipsised } from '../drawing/text/fit-text.ts';
import { areTicksClear } from '../drawing/text/number-text.ts';
import { textWidth } from '../drawing/text/text-width.ts';
import { figureKind } from '../figure-kind.ts';
import type { NumberAxis } from '../frame/axes.ts';
import type { Chart } from '../frame/frame.ts';
import { dashedX, dot, label, type Mark } from '../marks.ts';
import type { InputValues } from '../plot.ts';
import { common, count, list, type SpecOf, text } from '../plot-words.ts';
import { perturbationEffects } from './declare.ts';

const numbers = z.object({
  kind: z.literal('perturbation-effects'),
  ...common,
  /** Changed genes of the controls against each other, at most. */
  byChance: count,
  measure: z.enum(['distance', 'cells']),
  perturbations: list(z.object({ label: text, changed: count, value: z.number(), differs: z.boolean() })),
  changing: count,
  differing: count,
});
export type Numbers = z.output<typeof numbers>;
interface Spec extends SpecOf<{ numbers: typeof numbers }> {}

const maxNames = 24;

/** Distances without principal components are missing: cells take their place. */
function decide({ screen }: Pick<InputValues, 'perturbations'> & { screen: InputValues['perturbations'] }) {
  const { perturbations, limit, null: own } = screen;
  const labels = categoryLabels(perturbations.map(({ name }) => name));
  const hasDistances = perturbations.some(({ distance }) => !Number.isNaN(distance));
  const shown = perturbations.map(({ changed, distance, cells, adjustedP }, at) => ({
    label: labels[at]!,
    changed,
    value: hasDistances ? (Number.isNaN(distance) ? 0 : distance) : cells,
    differs: adjustedP < limit,
  }));
  const byChance = Math.max(0, ...own.changed);
  const changing = shown.filter(({ changed }) => changed > byChance).length;
  return {
    title: 'Effects of perturbations',
    summary: `${countText(changing)} of ${plural(shown.length, 'perturbation')} ${changing === 1 ? 'changes' : 'change'} more genes than controls do`,
    byChance,
    measure: hasDistances ? ('distance' as const) : ('cells' as const),
    perturbations: shown,
    changing,
    differing: shown.filter(({ differs }) => differs).length,
    ...(screen.cautions && { cautions: screen.cautions }),
  };
}

function chart({ perturbations, byChance, measure }: Spec): Chart {
  const maxChanged = perturbations.reduce((highest, { changed }) => Math.max(highest, changed), byChance);
  const highest = perturbations.reduce((top, { value }) => Math.max(top, value), 0) || 1;
  return {
    x: {
      ...rootAxis(maxChanged || 1, 'Changed genes, logarithm'),
      place: (value) => Math.log1p(value),
      ticks: logTicks(maxChanged),
    },
    y: rootAxis(highest, measure === 'distance' ? 'Energy distance from the controls, root' : 'Cells, root'),
    note: `dashed: controls at most${measure === 'distance' ? '; blue: distances beyond shuffled labels' : ''}`,
    marks: [
      dashedX(byChance, 1.5),
      dot(perturbations, {
        x: ({ changed }) => changed,
        y: ({ value }) => Math.max(0, value),
        radius: 3.5,
        rim: 0.75,
        fill: ({ differs }) => (differs ? significant : notSignificant),
      }),
      namesOf(perturbations),
    ],
  };
}

function rootAxis(max: number, name: string): NumberAxis {
  return { domain: [0, 1.06 * max], place: (value) => Math.sqrt(Math.max(0, value)), inset: 6, name };
}

/** 0, 1, 10, 100 and so on, with 3 and 30 between them where they have room. */
function logTicks(max: number): NumberAxis['ticks'] {
  const candidates = [0, 1, 10, 100, 1000, 10_000, 3, 30, 300, 3000, 30_000].filter(
    (tick) => tick <= 1.06 * max,
  );
  return (_, x) => {
    let ticks: number[] = [];
    for (const tick of candidates) {
      const more = [...ticks, tick].sort((a, b) => a - b);
      if (areTicksClear(more, x)) ticks = more;
    }
    return ticks;
  };
}

/** Names of the first ones where they have room beside all dots. */
function namesOf(perturbations: Spec['perturbations']): Mark {
  return ({ x, y, panel }) => {
    const points = perturbations.map((one, place) => {
      const name = place < maxNames ? ellipsised(one.label, 0.3 * panel.width, smallSize) : '';
      return {
        name,
        full: one.label,
        x: x(one.changed),
        y: y(Math.max(0, one.value)),
        width: textWidth(name, smallSize),
      };
    });
    return placedNames(points, panel, 4.5).flatMap(({ name, full, left, baseline }) =>
      name === '' ? [] : [label(name, { x: left, y: baseline }, full)],
    );
  };
}

export const figure = figureKind<Spec, typeof perturbationEffects>(perturbationEffects, {
  numbers,
  decide,
  chart,
  file: { width: 640, height: 520 },
  sentence: ({ summary }) => `Enlarge to see the perturbations. ${summary}.`,
});
