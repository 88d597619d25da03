import { countText } from '@cellfolio/model';
import { darkExpressionRamp } from '../drawing/colour/ramps.ts';
import type { CommonSpec, FittedSpec } from '../drawing/figure.ts';
import { fittedWith } from '../drawing/minimum-size.ts';
import { largestOf } from '../drawing/chosen-groups.ts';
import { colourBar, maxBarHeight } from '../drawing/scene/bar-scatter-scene.ts';
import { axisArrows, heading, isTiny } from '../drawing/scene/panel.ts';
import type { Mark, Rectangle, Scene } from '../drawing/scene/scene.ts';
import { inkColour, smallSize, softInk } from '../drawing/scene/style.ts';
import { wrappedWords } from '../drawing/text/fit-text.ts';
import { fittedNames } from '../drawing/text/fitted-names.ts';
import { fitText } from '../drawing/text/number-text.ts';
import { textWidth } from '../drawing/text/text-width.ts';
import { themedInk } from '../drawing/themed-ink.ts';
import { aroundBar, densityLayout, headLine, mapsThatFit, nameDrop } from './layout.ts';
import { type DensityGroup, type EmbeddingDensitySpec, problemText } from './spec.ts';

const small = { kind: 'text', size: smallSize, style: 'regular' } as const;
const lineHeight = 19;

export function scene(spec: EmbeddingDensitySpec): Scene {
  const { groups, size } = spec;
  const { box, panels, nameLines, hasBar, hasArrows } = densityLayout(spec, groups.length);
  const lowestLeft = panels.findLast(({ x }) => x === box.x);
  const names = fittedNames(
    groups.map(({ label }) => label),
    groups.map((group, i) => roomOfName(group, panels[i]!, nameLines)),
    smallSize,
  );
  return {
    ...size,
    panel: box,
    marks: [
      ...(isTiny(spec) ? [] : heading(spec, 'semibold')),
      ...(groups.length === 0 ? sentence('None of these cells is in a group.', box) : []),
      ...groups.flatMap((group, i) => [
        ...nameOf(group, names[i]!, panels[i]!, nameLines),
        ...(group.problem === undefined ? [] : sentence(problemText(group.problem), panels[i]!)),
      ]),
      ...(hasArrows && lowestLeft ? axisArrows(lowestLeft, spec.axes) : []),
      ...(hasBar && groups.some(({ problem }) => problem === undefined) ? bar(spec, box) : []),
    ],
  };
}

function bar({ size, colours }: EmbeddingDensitySpec, { y, height }: Rectangle): Mark[] {
  return colourBar(
    {
      low: 0,
      high: 1,
      clippedLow: false,
      clippedHigh: false,
      ramp: colours.ramp,
      unit: 'Scaled density',
      height: Math.min(maxBarHeight, height - aroundBar),
    },
    { figureWidth: size.width, top: y },
  ).marks;
}

function roomOfName({ cells }: DensityGroup, { width }: Rectangle, lines: 1 | 2): number {
  return lines === 1 ? width - textWidth(countOf(cells), smallSize) - 12 : width;
}

function countOf(cells: number): string {
  return `n = ${countText(cells)}`;
}

function nameOf(
  { label, cells }: DensityGroup,
  text: string,
  { x, y, width }: Rectangle,
  lines: 1 | 2,
): Mark[] {
  const count = countOf(cells);
  const isBeside = lines === 1;
  const last = y - nameDrop;
  return [
    {
      ...small,
      text,
      ...(text !== label && { full: label }),
      x,
      y: isBeside ? last : last - headLine,
      colour: inkColour,
      anchor: 'start',
    },
    {
      ...small,
      text: count,
      x: isBeside ? x + width : x,
      y: last,
      colour: softInk,
      anchor: isBeside ? 'end' : 'start',
    },
  ];
}

function sentence(words: string, { x, y, width, height }: Rectangle): Mark[] {
  const lines = wrappedWords(words, width - 8, smallSize).slice(
    0,
    Math.max(1, Math.floor(height / lineHeight)),
  );
  const first = y + height / 2 - ((lines.length - 1) * lineHeight) / 2 + smallSize * 0.36;
  return lines.flatMap((text, i): Mark[] => [
    {
      ...small,
      text,
      x: x + width / 2,
      y: first + i * lineHeight,
      colour: softInk,
      anchor: 'middle',
    },
  ]);
}

export function fit(spec: EmbeddingDensitySpec, size: CommonSpec['size']): FittedSpec<EmbeddingDensitySpec> {
  const all = spec.groups;
  const maxMaps = mapsThatFit({ ...spec, size, fitted: { leftOut: '' } }, all.length);
  const groups = largestOf(all.keys(), (place) => all[place]!.cells, maxMaps).map((place) => all[place]!);
  const leftOut = fitText(groups.length, all.length, 'groups');
  const fitted = fittedWith(leftOut, {
    'the colour bar': densityLayout({ ...spec, size, fitted: { leftOut } }, groups.length).hasBar,
  });
  return { spec: { ...spec, size, fitted, groups }, isWhole: leftOut === '' };
}

export function dark({ colours }: EmbeddingDensitySpec): Pick<EmbeddingDensitySpec, 'colours'> {
  return {
    colours: {
      ramp: darkExpressionRamp,
      others: themedInk(colours.others, 'dark'),
      outside: themedInk(colours.outside, 'dark'),
    },
  };
}
