import type { GeneColumn } from '@cellfolio/model';
import { checkGrouped, checkMask, defaultUnits, rangeText } from '../drawing/checked-input.ts';
import { cleanLabel } from '../drawing/text/fit-text.ts';
import { expressingText } from '../drawing/text/number-text.ts';
import {
  axisOf,
  limitText,
  violinDomain,
  violinGroups,
  type ViolinGroup,
  type ViolinInput,
  type ViolinSpec,
} from '../drawing/distributions/violin-groups.ts';
import { violinSize } from '../drawing/distributions/violin-layout.ts';
import type { Figure } from '../drawing/figure.ts';
import { geneByGroup } from '../drawing/distributions/grouped-values.ts';
import { violinDrawing } from '../drawing/distributions/violin-scene.ts';
import { plot } from '../plot.ts';
import type { geneViolinContent } from './content.ts';

interface GeneViolinSpec extends ViolinSpec {
  kind: 'gene-violin';
  groups: readonly (ViolinGroup & { expressing: number })[];
}

interface GeneViolinInput extends ViolinInput {
  gene: GeneColumn;
  symbol: string;
}

/**
 * Distribution of a gene in each group, zeros included. Empty groups are left out, as are cells without a group or
 * value. Throws FigureInputError if the columns do not describe the same cells.
 */
function geneViolinSpec(input: GeneViolinInput): GeneViolinSpec {
  const { gene, groups: column, mask } = input;
  checkGrouped(gene, column);
  checkMask(gene.cellCount, mask);
  const grouped = geneByGroup(gene, column, mask);
  const { groups, codes, groupCount } = violinGroups(input, grouped);
  let [cells, expressing] = [0, 0];
  column.categories.forEach((_, code) => {
    cells += grouped.valuesOf(code).length + grouped.zerosOf(code);
    expressing += grouped.expressingOf(code);
  });
  const [low, high] = violinDomain(groups);
  // Zero is where a gene is not expressed, so its axis begins there.
  const own = [Math.min(0, low), Math.max(0, high)] as const;
  return {
    version: 2,
    kind: 'gene-violin',
    title: cleanLabel(input.symbol),
    datasetName: cleanLabel(input.datasetName),
    summary: [
      expressingText(expressing, cells),
      ...limitText(groups.length, groupCount),
      ...rangeText(input.range),
    ].join(' · '),
    size: violinSize(groups),
    unit: cleanLabel(input.unit ?? defaultUnits.gene),
    groupTitle: cleanLabel(input.groupTitle),
    ...axisOf(own, input.range),
    groups: groups.map((group, i) => Object.assign(group, { expressing: grouped.expressingOf(codes[i]!) })),
    groupCount,
  };
}

export type GeneViolinFigure = Figure<GeneViolinSpec>;

const drawing = violinDrawing<GeneViolinSpec>('gene');

export function geneViolinFigure(input: GeneViolinInput): GeneViolinFigure {
  return { spec: geneViolinSpec(input), columns: {}, drawing };
}

export const geneViolin = plot<typeof geneViolinContent>('gene-violin', ({ gene, groups }, setting) =>
  geneViolinFigure({
    ...setting,
    ...gene,
    groups: groups.column,
    groupTitle: groups.title,
    palette: groups.palette,
  }),
);
