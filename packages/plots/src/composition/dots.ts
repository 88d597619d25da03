import { countText } from '@cellfolio/model';
import { FigureInputError } from '../drawing/checked-input.ts';
import type { Figure } from '../drawing/figure.ts';
import { sampleHead, sampleLabels, samplesText, type Side } from '../drawing/samples/sample-figure.ts';
import { categoryLabels, cleanLabel } from '../drawing/text/fit-text.ts';
import { type FigureSetting, plot } from '../plot.ts';
import type { compositionDotsContent } from './content.ts';
import { compositionDotsDrawing, compositionDotsSize } from './dots-scene.ts';
import type { CompositionDotsInput, CompositionDotsSpec } from './dots-spec.ts';

const maxGroups = 40;

/**
 * Shares of each sample by category, smallest p-values first. Throws FigureInputError if values are not shares, or
 * belong to other samples.
 */
export function compositionDotsFigure(
  input: CompositionDotsInput & Pick<FigureSetting, 'datasetName'>,
): Figure<CompositionDotsSpec> {
  const { samples, categories, pairs, transform, threshold } = input;
  if (samples.length < 2)
    throw new FigureInputError('samples', `${samples.length} samples cannot be compared`);
  for (const { name, shares } of categories) {
    if (shares.length === samples.length && Array.from(shares).every((share) => share >= 0 && share <= 1))
      continue;
    throw new FigureInputError(
      'categories',
      `the shares of ${name} are not those of ${samples.length} samples`,
    );
  }
  const head = sampleHead({ ...input, part: '' }, input.datasetName);
  const shown = categories.slice(0, maxGroups);
  const labels = categoryLabels(shown.map(({ name }) => name));
  const names = sampleLabels(samples);
  const differing = categories.filter(({ adjustedP }) => adjustedP < threshold).length;
  const groups = shown.map(({ shares, effect, adjustedP }, at) => {
    const own = Array.from(shares);
    return {
      label: labels[at]!,
      shares: own,
      means: { a: meanOf(own, samples, 'a'), b: meanOf(own, samples, 'b') },
      effect,
      adjustedP,
    };
  });
  const spec: CompositionDotsSpec = {
    version: 1,
    kind: 'composition-dots',
    ...head,
    summary: [
      `${countText(differing)} of ${countText(categories.length)} categories differ`,
      samplesText(samples, head.sides),
      ...(shown.length < categories.length ? [`the ${maxGroups} of the smallest p-values`] : []),
    ].join(' · '),
    size: compositionDotsSize(groups.length),
    groupTitle: cleanLabel(input.groupTitle),
    transform,
    threshold,
    samples: samples.map(({ side }, at) => ({ label: names[at]!, side })),
    ...(pairs && { pairs }),
    groups,
    groupCount: categories.length,
    differing,
  };
  return { spec, columns: {}, drawing: compositionDotsDrawing };
}

function meanOf(shares: readonly number[], samples: CompositionDotsInput['samples'], side: Side): number {
  const own = shares.filter((_, at) => samples[at]!.side === side);
  return own.length === 0 ? 0 : own.reduce((sum, share) => sum + share, 0) / own.length;
}

export const compositionDots = plot<typeof compositionDotsContent>(
  'composition-dots',
  ({ composition }, { datasetName }) => compositionDotsFigure({ ...composition, datasetName }),
);
