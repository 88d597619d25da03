import { countText } from '@cellfolio/model';
import type { Figure } from '../drawing/figure.ts';
import { meanRamp } from '../drawing/gene-matrix/scales.ts';
import { labelGridLayout } from '../drawing/label-grid/layout.ts';
import { labelGridDrawing } from '../drawing/label-grid/scene.ts';
import type { LabelGridSpec } from '../drawing/label-grid/spec.ts';
import { largestOf } from '../drawing/chosen-groups.ts';
import { categoryLabels, cleanLabel } from '../drawing/text/fit-text.ts';
import { checkInteractions } from './dots.ts';
import type { InteractionsInput } from './spec.ts';
import { type FigureSetting, plot } from '../plot.ts';
import type { ligandReceptorHeatmapContent } from './content.ts';

interface LigandReceptorHeatmapSpec extends LabelGridSpec {
  kind: 'ligand-receptor-heatmap';
  threshold: number;
  passing: number;
  tested: number;
  groupCount: number;
}

export const maxHeatmapGroups = 25;

const drawing = labelGridDrawing<LigandReceptorHeatmapSpec>();

/**
 * Number of pairs with p below the threshold, source groups by target groups. If there are too many groups, those with
 * most pairs stay. Throws FigureInputError as the dots of the same interactions.
 */
export function ligandReceptorHeatmapFigure(
  input: InteractionsInput & Pick<FigureSetting, 'datasetName'>,
): Figure<LigandReceptorHeatmapSpec> {
  checkInteractions(input);
  const { sources, targets, pValues, threshold } = input;
  const groupCount = input.groups.length;
  const counts = new Uint32Array(groupCount ** 2);
  const ofGroup = new Uint32Array(groupCount);
  let significant = 0;
  for (let row = 0; row < pValues.length; row++) {
    if (!(pValues[row]! < threshold)) continue;
    significant++;
    counts[sources[row]! * groupCount + targets[row]!]!++;
    ofGroup[sources[row]!]!++;
    ofGroup[targets[row]!]!++;
  }
  const keptGroups = largestOf(ofGroup.keys(), (group) => ofGroup[group]!, maxHeatmapGroups);
  const labels = categoryLabels(input.groups.map(({ label }) => label));
  const names = keptGroups.map((group) => labels[group]!);
  const values = keptGroups.flatMap((source) =>
    keptGroups.map((target) => counts[source * groupCount + target]!),
  );
  const groupTitle = cleanLabel(input.groupTitle);
  const cut =
    keptGroups.length < groupCount
      ? ` · ${keptGroups.length} of ${countText(groupCount)} groups, those with most`
      : '';
  const spec: LigandReceptorHeatmapSpec = {
    version: 1,
    kind: 'ligand-receptor-heatmap',
    title: 'Ligand–receptor pairs between groups',
    subtitle: cleanLabel(input.pairSet),
    datasetName: cleanLabel(input.datasetName),
    summary: `${countText(significant)} of ${countText(pValues.length)} interactions have p < ${threshold}${cut}`,
    size: { width: 0, height: 0 },
    rowTitle: 'source (ligand)',
    columnTitle: `target (receptor), ${groupTitle}`,
    rows: names,
    columns: names,
    values,
    valueTitle: ['Number of pairs', `with p < ${threshold}`],
    domain: [0, Math.max(1, ...values)],
    nothing: 'There are no groups.',
    colours: { ramp: meanRamp },
    threshold,
    passing: significant,
    tested: pValues.length,
    groupCount,
    ...(input.cautions && { cautions: input.cautions }),
  };
  return { spec: { ...spec, size: labelGridLayout(spec).size }, columns: {}, drawing };
}

export const ligandReceptorHeatmap = plot<typeof ligandReceptorHeatmapContent>(
  'ligand-receptor-heatmap',
  ({ interactions }, { datasetName }) => ligandReceptorHeatmapFigure({ ...interactions, datasetName }),
);
