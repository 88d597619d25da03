import { countText, plural } from '@cellfolio/model';
import { embeddingTitle } from '@cellfolio/model/names';
import { checkRange, FigureInputError, rangeText } from '../checked-input.ts';
import type { Drawing, Figure } from '../figure.ts';
import { categoryLabel, categoryLabels, cleanLabel } from '../text/fit-text.ts';
import { geneMatrixLayout } from './layout.ts';
import { dotMaxOf, meanRamp } from './scales.ts';
import { geneMatrixDrawing } from './scene.ts';
import {
  cellsText,
  limitGeneMatrix,
  matrixNouns,
  type GeneMatrixInput,
  type GeneMatrixSpec,
  type KeptRowsAndColumns,
  type MatrixMarks,
  type SmallViolin,
} from './spec.ts';
import { groupTree } from './group-tree.ts';

/**
 * Genes by groups, with the sizes and colours of scanpy's dot plots and matrix plots. Draws at most 60 groups (the
 * largest), 300 genes (the first of each bracket) and 9,000 dots, and the figure says so. A NaN mean or fraction, as of
 * a group without cells, makes no dot. Throws FigureInputError if sizes do not fit together or a fraction is outside 0
 * to 1.
 */
export function geneMatrixFigure<Kind extends string>(
  kind: Kind,
  marks: MatrixMarks,
  input: GeneMatrixInput,
): Figure<GeneMatrixSpec & { kind: Kind }> {
  checkInput(input);
  if (input.range) checkRange(input.range);
  const labels = categoryLabels(input.groups.map(({ label }) => label));
  const labelOf = new Map(input.groups.map(({ label }, place) => [label, labels[place]!]));
  const allGenes = input.genes.map(({ symbol, group }) => ({
    symbol: categoryLabel(symbol),
    bracket: group === undefined ? null : (labelOf.get(group) ?? categoryLabel(group)),
  }));
  const { fewCells = 0, cautions = [], isScaled = false, notes = [], range } = input;

  const allGroups = input.groups.map(({ cells, colour }, place) => ({
    label: labels[place]!,
    cells,
    ...(colour !== undefined && { colour }),
  }));
  const limited = limitGeneMatrix(allGroups, allGenes);
  const rows = treeRows(limited.groups, labels, input.likeness);
  const selection = { ...limited, groups: rows.groups };
  const { dendrogram } = rows;
  const groups = selection.groups.map((i) => allGroups[i]!);
  const genes = selection.genes.map((i) => allGenes[i]!);
  const { mean, fraction, meanDomain, dotMax } = dots(input, selection);
  const groupTitle = cleanLabel(input.groupTitle);
  const byDataset = input.byDataset && {
    ...input.byDataset,
    cells: placesOf(selection, input.genes.length).map((place) => input.byDataset!.cells[place]!),
  };
  const cells = input.cells && linesOf(input.cells(selection.groups), selection, range);
  const counts = { groupCount: input.ofGroups?.count ?? allGroups.length, geneCount: allGenes.length };
  const which = input.ofGroups?.which ?? 'the largest';
  return {
    spec: {
      version: 1,
      kind,
      ...(marks !== 'dots' && { marks }),
      title: cleanLabel(input.title),
      datasetName: cleanLabel(input.datasetName),
      summary: [
        summaryOf({ groups, which, genes, ...counts, fewCells, cells, ...(byDataset && { byDataset }) }),
        ...notes,
        ...(rows.note === '' ? [] : [rows.note]),
        ...rangeText(range),
      ].join(' · '),
      size: geneMatrixLayout({ groups, genes, groupTitle, marks, fewCells, dendrogram, byDataset }).size,
      groupTitle,
      groups,
      genes,
      mean,
      fraction,
      dotMax,
      meanDomain: range ?? cells?.domain ?? meanDomain,
      ...(range && { range }),
      ...(isScaled ? { isScaled } : input.unit !== undefined && { unit: input.unit }),
      ...(input.violins && { violins: violinsOf(input.violins, selection, range) }),
      ...(cells && { cells }),
      ...(dendrogram && { dendrogram }),
      ...(byDataset && { byDataset }),
      ...counts,
      colours: { ramp: meanRamp },
      ...(fewCells > 0 && { fewCells }),
      ...(cautions.length > 0 && { cautions }),
    },
    columns: {},
    drawing: geneMatrixDrawing as Drawing<GeneMatrixSpec & { kind: Kind }>,
  };
}

function violinsOf(
  { unit, ofGene }: NonNullable<GeneMatrixInput['violins']>,
  selection: KeptRowsAndColumns,
  range: readonly [number, number] | undefined,
): NonNullable<GeneMatrixSpec['violins']> {
  const shapes = new Array<SmallViolin | null>(selection.groups.length * selection.genes.length).fill(null);
  let [low, high] = [0, 0];
  selection.genes.forEach((gene, column) => {
    const violinOf = ofGene(gene);
    selection.groups.forEach((group, row) => {
      const shape = violinOf(group);
      if (shape === null) return;
      shapes[row * selection.genes.length + column] = shape;
      low = Math.min(low, shape.range[0]);
      high = Math.max(high, shape.range[1]);
    });
  });
  return { unit: cleanLabel(unit), domain: range ?? [low, high], shapes };
}

function linesOf(
  { shown, domain: own, levelsOf }: ReturnType<NonNullable<GeneMatrixInput['cells']>>,
  selection: KeptRowsAndColumns,
  range: readonly [number, number] | undefined,
): NonNullable<GeneMatrixSpec['cells']> {
  const domain = range ?? ([rounded(own[0]), rounded(own[1])] as const);
  const levels = new Array<string>(selection.groups.length * selection.genes.length);
  selection.genes.forEach((gene, column) => {
    levelsOf(gene, domain).forEach((ofGroup, row) => {
      levels[row * selection.genes.length + column] = Buffer.from(ofGroup).toString('base64');
    });
  });
  return { domain, shown, levels };
}

function checkInput({ groups, genes, mean, fraction }: GeneMatrixInput): void {
  const size = groups.length * genes.length;
  for (const [field, matrix] of [
    ['mean', mean],
    ['fraction', fraction],
  ] as const) {
    if (matrix.length !== size) {
      throw new FigureInputError(
        field,
        `${field} holds ${matrix.length} numbers, ${groups.length} groups by ${genes.length} genes need ${size}`,
      );
    }
  }
  for (let i = 0; i < size; i++) {
    if (fraction[i]! < 0 || fraction[i]! > 1) {
      throw new FigureInputError('fraction', `a fraction is ${fraction[i]!}, which is not within 0 to 1`);
    }
  }
  for (const { cells } of groups) {
    if (!Number.isSafeInteger(cells) || cells < 0) {
      throw new FigureInputError('groups', `a group has ${cells} cells, which is not a count`);
    }
  }
}

function dots(
  { genes, mean, fraction }: GeneMatrixInput,
  selection: KeptRowsAndColumns,
): Pick<GeneMatrixSpec, 'mean' | 'fraction' | 'meanDomain' | 'dotMax'> {
  const places = placesOf(selection, genes.length);
  const isKnown = (place: number): boolean =>
    Number.isFinite(mean[place]) && Number.isFinite(fraction[place]);
  let [low, high, greatest] = [Infinity, -Infinity, 0];
  for (const place of places) {
    if (!isKnown(place)) continue;
    low = Math.min(low, mean[place]!);
    high = Math.max(high, mean[place]!);
    greatest = Math.max(greatest, fraction[place]!);
  }
  // A range of one value, or of none, begins or ends at zero.
  if (!(low < high)) [low, high] = low === high ? [Math.min(0, low), Math.max(0, high)] : [0, 0];
  return {
    mean: places.map((place) => (isKnown(place) ? rounded(mean[place]!) : rounded(low))),
    fraction: places.map((place) => (isKnown(place) ? rounded(fraction[place]!) : 0)),
    meanDomain: [rounded(low), rounded(high)],
    dotMax: dotMaxOf(greatest),
  };
}

function placesOf(selection: KeptRowsAndColumns, genes: number): number[] {
  return selection.groups.flatMap((group) => selection.genes.map((gene) => group * genes + gene));
}

/** Five digits are far finer than the eye can see, and keep a spec of 9,000 dots small. */
function rounded(value: number): number {
  return Number(value.toPrecision(5));
}

function summaryOf({
  groups,
  which,
  genes,
  groupCount,
  geneCount,
  fewCells,
  cells: lines,
  byDataset,
}: Pick<GeneMatrixSpec, 'groups' | 'genes' | 'groupCount' | 'geneCount' | 'byDataset'> & {
  /** Which of the groups are drawn, where not all are. */
  which: string;
  fewCells: number;
  cells: GeneMatrixSpec['cells'];
}): string {
  const isBracketed = genes.some((gene) => gene.bracket !== null);
  const { row, column } = matrixNouns({ byDataset });
  const geneText =
    genes.length < geneCount
      ? `${countText(genes.length)} of ${plural(geneCount, column)} (the first${isBracketed ? ' of each group' : ''})`
      : plural(geneCount, column);
  const groupText =
    groups.length < groupCount
      ? `${groups.length} of ${plural(groupCount, row)} (${which})`
      : plural(groupCount, row);
  const note = groups.some((group) => group.cells < fewCells) ? ` · * fewer than ${fewCells} cells` : '';
  return `${geneText} in ${groupText}, ${cellsText(groups, lines)}${note}`;
}

interface TreeRows {
  groups: readonly number[];
  dendrogram?: NonNullable<GeneMatrixSpec['dendrogram']>;
  /** Note on the order for the summary; or the reason for keeping the order of the column. */
  note: string;
}

function treeRows(
  groups: readonly number[],
  labels: readonly string[],
  likeness: GeneMatrixInput['likeness'],
): TreeRows {
  if (likeness === undefined || groups.length === 0) return { groups, note: '' };
  if (groups.length === 1) return { groups, note: 'no dendrogram of one group' };
  const tree = groupTree(groups, likeness);
  const { embedding, dimensions } = likeness;
  const title = embedding === undefined ? undefined : embeddingTitle(embedding);
  if ('undefinedAt' in tree) {
    const what = title ?? (dimensions === 1 ? 'the one gene' : `these ${dimensions} genes`);
    return {
      groups,
      note: `in the order of the column, as the means of ${labels[groups[tree.undefinedAt]!]!} in ${what} do not vary and have no correlation`,
    };
  }
  return {
    groups: tree.order.map((place) => groups[place]!),
    dendrogram: { ...(embedding !== undefined && { embedding }), dimensions, merges: tree.merges },
    note: `rows by a dendrogram of ${title ?? 'these genes'}`,
  };
}
