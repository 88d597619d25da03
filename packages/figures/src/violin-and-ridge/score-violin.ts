import { countText, type Caution, plural } from '@cellfolio/model';
import { FigureInputError, checkMask, defaultUnits, rangeText } from '../drawing/checked-input.ts';
import { cleanLabel } from '../drawing/text/fit-text.ts';
import {
  axisOf,
  limitText,
  violinDomain,
  violinGroups,
  type ViolinInput,
  type ViolinSpec,
} from '../drawing/distributions/violin-groups.ts';
import { violinSize } from '../drawing/distributions/violin-layout.ts';
import type { Figure } from '../drawing/figure.ts';
import { violinDrawing } from '../drawing/distributions/violin-scene.ts';
import { scoresByGroup } from '../drawing/distributions/grouped-values.ts';
import { plot } from '../plot.ts';
import type { scoreViolinContent } from './content.ts';

interface ScoreViolinSpec extends ViolinSpec {
  kind: 'score-violin';
  /** Cells of the groups with a NaN or infinite score: in no violin. */
  notScored: number;
  cautions?: readonly Caution[];
}

interface ScoreViolinInput extends ViolinInput {
  /** One per cell; NaN if not scored. */
  scores: Float64Array;
  title: string;
  cautions?: readonly Caution[];
}

/**
 * Distribution of a score in each group. Groups without scored cells are left out, as are cells without a group. Throws
 * FigureInputError if the columns do not describe the same cells.
 */
function scoreViolinSpec(input: ScoreViolinInput): ScoreViolinSpec {
  const { scores, groups: column, mask } = input;
  checkMask(scores.length, mask);
  if (column.codes.length !== scores.length) {
    throw new FigureInputError(
      'groups',
      `the groups hold ${column.codes.length} cells, the scores ${scores.length}`,
    );
  }
  const { scored, notScored, ...grouped } = scoresByGroup(scores, column, mask);
  const { groups, groupCount } = violinGroups(input, grouped);
  return {
    version: 2,
    kind: 'score-violin',
    title: cleanLabel(input.title),
    datasetName: cleanLabel(input.datasetName),
    summary: [
      plural(scored, 'cell'),
      ...(notScored > 0 ? [`${countText(notScored)} not scored`] : []),
      ...limitText(groups.length, groupCount),
      ...rangeText(input.range),
    ].join(' · '),
    size: violinSize(groups),
    unit: cleanLabel(input.unit ?? defaultUnits.score),
    groupTitle: cleanLabel(input.groupTitle),
    ...axisOf(violinDomain(groups), input.range),
    groups,
    groupCount,
    notScored,
    ...((input.cautions ?? []).length > 0 && { cautions: input.cautions! }),
  };
}

type ScoreViolinFigure = Figure<ScoreViolinSpec>;

const drawing = violinDrawing<ScoreViolinSpec>('score');

export function scoreViolinFigure(input: ScoreViolinInput): ScoreViolinFigure {
  return { spec: scoreViolinSpec(input), columns: {}, drawing };
}

export const scoreViolin = plot<typeof scoreViolinContent>('score-violin', ({ groups, score }, setting) =>
  scoreViolinFigure({
    ...setting,
    ...score,
    groups: groups.column,
    groupTitle: groups.title,
    palette: groups.palette,
    // Violins have no subtitle: what the score is made of stands at its axis.
    unit: `${defaultUnits.score} · ${score.subtitle}`,
  }),
);
