import { countText } from '@cellfolio/model';
import { FigureInputError } from '../drawing/checked-input.ts';
import type { Figure } from '../drawing/figure.ts';
import { cleanLabel } from '../drawing/text/fit-text.ts';
import { adjustedScores } from '../enrichment-bar/figure.ts';
import { type FigureSetting, plot } from '../plot.ts';
import { maxNamedGenes, type volcanoContent } from './content.ts';
import { volcanoDrawing, volcanoPanel, volcanoSize } from './scene.ts';
import type { VolcanoGene, VolcanoInput, VolcanoSpec } from './spec.ts';

/** Of each direction, where none are asked for. */
const namedOfDirection = 15;
/** Places along each axis that are told apart; a point is wider than one of them. */
const places = 300;
/** The axis holds this share of all fold changes: a few genes that one side lacks would leave no room for the others. */
const shareOnAxis = 0.999;
/** Beyond it one side has nothing but the 1e-9 that is added to both: it says that, and no fold change. */
const absentFrom = 15;

interface VolcanoFigureInput extends VolcanoInput, Pick<FigureSetting, 'datasetName'> {
  readonly wanted?: readonly string[] | undefined;
}

/**
 * Log2 fold changes against −log10 of the adjusted p. Genes without a fold change are not drawn. Throws FigureInputError
 * where the columns are of unequal length, or a p or a threshold cannot be one.
 */
export function volcanoFigure(input: VolcanoFigureInput): Figure<VolcanoSpec> {
  check(input);
  const { foldChanges, adjustedPs, thresholds } = input;
  const rows = Array.from(foldChanges.keys()).filter((row) => !Number.isNaN(foldChanges[row]!));
  const scores = adjustedScores(
    rows.map((row) => ({ adjustedP: adjustedPs[row]! })),
    rows.length,
  );
  const genes = rows.map((row, at): VolcanoGene => ({
    gene: cleanLabel(input.genes[row]!),
    foldChange: foldChanges[row]!,
    adjustedP: adjustedPs[row]!,
    score: scores[at]!,
    direction: directionOf(foldChanges[row]!, adjustedPs[row]!, thresholds),
  }));
  const axes = axesOf(genes, thresholds);
  const [a, b, part] = [cleanLabel(input.a), cleanLabel(input.b), cleanLabel(input.part)];
  const higher = genes.filter(({ direction }) => direction > 0).length;
  const lower = genes.filter(({ direction }) => direction < 0).length;
  const beyond = genes.filter(({ foldChange }) => Math.abs(foldChange) > axes.foldChange).length;
  const atEnds = beyond > 0 ? ` · ${countText(beyond)} beyond the axis` : '';
  const subtitle = [part, cleanLabel(input.test)].filter(Boolean).join(' · ');
  const spec: VolcanoSpec = {
    version: 1,
    kind: 'volcano',
    title: `${a} against ${b}`,
    subtitle,
    datasetName: cleanLabel(input.datasetName),
    summary: `${countText(input.cells.a)} against ${countText(input.cells.b)} cells · ${countText(higher)} genes higher, ${countText(lower)} lower of ${countText(foldChanges.length)}${atEnds}`,
    size: volcanoSize,
    sides: { a, b },
    thresholds,
    tested: foldChanges.length,
    higher,
    lower,
    beyond,
    axes,
    panel: volcanoPanel({ subtitle, size: volcanoSize }),
    points: pointsOf(genes, axes),
    named: namedGenes(genes, input.wanted).map((one) =>
      Object.assign({}, one, {
        foldChange: within(one.foldChange, axes.foldChange),
      }),
    ),
    ...(input.cautions && { cautions: input.cautions }),
  };
  return { spec, columns: {}, drawing: volcanoDrawing };
}

function directionOf(foldChange: number, adjustedP: number, thresholds: VolcanoSpec['thresholds']): number {
  const passes = adjustedP < thresholds.adjustedP && Math.abs(foldChange) >= thresholds.foldChange;
  return passes ? Math.sign(foldChange) : 0;
}

/** Genes that one side lacks lie at the ends. */
function axesOf(genes: readonly VolcanoGene[], thresholds: VolcanoSpec['thresholds']): VolcanoSpec['axes'] {
  const sizes = Float64Array.from(genes, ({ foldChange }) => Math.abs(foldChange))
    .filter((size) => size < absentFrom)
    .sort();
  const most = sizes[sizes.length - 1] ?? 1;
  const usual = sizes[Math.floor((sizes.length - 1) * shareOnAxis)] ?? 1;
  const foldChange = Math.max(most > 2 * usual ? 1.3 * usual : 1.04 * most, 1.5 * thresholds.foldChange, 0.1);
  const cut = -Math.log10(Math.max(thresholds.adjustedP, Number.MIN_VALUE));
  const score = 1.06 * genes.reduce((highest, gene) => Math.max(highest, gene.score), Math.max(1, 1.2 * cut));
  return { foldChange, score };
}

function within(foldChange: number, most: number): number {
  return Math.max(-most, Math.min(most, foldChange));
}

function pointsOf(genes: readonly VolcanoGene[], axes: VolcanoSpec['axes']): [number, number, number][] {
  const taken = new Map<number, [number, number, number]>();
  for (const { foldChange, score, direction } of genes) {
    const x = within(foldChange, axes.foldChange);
    const column = Math.round(((x / axes.foldChange + 1) / 2) * places);
    const row = Math.round((score / axes.score) * places);
    const key = (column * (places + 1) + row) * 3 + direction + 1;
    if (!taken.has(key)) taken.set(key, [Number(x.toPrecision(5)), Number(score.toPrecision(5)), direction]);
  }
  // Those that pass lie on top.
  return [...taken.values()].toSorted(([, , one], [, , other]) => Math.abs(one) - Math.abs(other));
}

function namedGenes(genes: readonly VolcanoGene[], wanted: readonly string[] | undefined): VolcanoGene[] {
  if (wanted) {
    const placeOf = new Map(wanted.map((gene, place) => [cleanLabel(gene), place]));
    return genes
      .filter(({ gene }) => placeOf.has(gene))
      .toSorted((one, other) => placeOf.get(one.gene)! - placeOf.get(other.gene)!)
      .slice(0, maxNamedGenes);
  }
  const best = (direction: number): VolcanoGene[] =>
    genes
      .filter((gene) => gene.direction === direction)
      .toSorted(
        (one, other) => other.score - one.score || Math.abs(other.foldChange) - Math.abs(one.foldChange),
      )
      .slice(0, namedOfDirection);
  const [up, down] = [best(1), best(-1)];
  // In turns, so that neither direction takes the room of the other.
  return Array.from({ length: namedOfDirection }, (_, rank) => [up[rank], down[rank]])
    .flat()
    .filter((gene) => gene !== undefined);
}

function check({ genes, foldChanges, adjustedPs, thresholds }: VolcanoFigureInput): void {
  if (genes.length !== foldChanges.length || genes.length !== adjustedPs.length) {
    throw new FigureInputError(
      'genes',
      `${genes.length} genes have ${foldChanges.length} fold changes and ${adjustedPs.length} p-values`,
    );
  }
  const wrong = adjustedPs.findIndex((p) => !(p >= 0 && p <= 1));
  if (wrong >= 0) {
    throw new FigureInputError('adjustedPs', `the adjusted p of ${genes[wrong]!} is ${adjustedPs[wrong]}`);
  }
  if (!(thresholds.adjustedP >= 0 && thresholds.adjustedP <= 1 && thresholds.foldChange >= 0)) {
    throw new FigureInputError(
      'thresholds',
      `p ${thresholds.adjustedP} or ${thresholds.foldChange} is no threshold`,
    );
  }
}

export const volcano = plot<typeof volcanoContent>('volcano', ({ comparison }, { datasetName }, content) =>
  volcanoFigure({ ...comparison, datasetName, wanted: content.genes }),
);
