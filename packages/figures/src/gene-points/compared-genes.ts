import type { ComparedGenes } from '@cellfolio/analyses';
import { adjustedScores } from '../drawing/adjusted-scores.ts';
import { FigureInputError } from '../drawing/checked-input.ts';
import { cleanLabel } from '../drawing/text/fit-text.ts';

/** A gene passes with an adjusted p below `adjustedP` and an absolute log2 fold change of at least `foldChange`. */
export interface Thresholds {
  adjustedP: number;
  foldChange: number;
}

export interface ComparedGene {
  gene: string;
  foldChange: number;
  adjustedP: number;
  /** −log10 of the adjusted p. */
  score: number;
  /** 0 for a gene that fails a threshold, 1 if it is higher in A, −1 if lower. */
  direction: number;
}

const namedOfDirection = 15;
/** Distinguishable positions along each axis; a point is wider than one of them. */
const places = 300;
/** Genes with their input rows; those without a fold change or p are left out. */
export function genesOf(
  input: Pick<ComparedGenes, 'genes' | 'foldChanges' | 'adjustedPs' | 'thresholds'>,
): { row: number; gene: ComparedGene }[] {
  check(input);
  const { foldChanges, adjustedPs, thresholds } = input;
  const rows = Array.from(foldChanges.keys()).filter(
    (row) => !Number.isNaN(foldChanges[row]!) && !Number.isNaN(adjustedPs[row]!),
  );
  const scores = adjustedScores(
    rows.map((row) => ({ adjustedP: adjustedPs[row]! })),
    rows.length,
  );
  return rows.map((row, at) => ({
    row,
    gene: {
      gene: cleanLabel(input.genes[row]!),
      foldChange: foldChanges[row]!,
      adjustedP: adjustedPs[row]!,
      score: scores[at]!,
      direction: directionOf(foldChanges[row]!, adjustedPs[row]!, thresholds),
    },
  }));
}

function directionOf(foldChange: number, adjustedP: number, thresholds: Thresholds): number {
  const passes = adjustedP < thresholds.adjustedP && Math.abs(foldChange) >= thresholds.foldChange;
  return passes ? Math.sign(foldChange) : 0;
}

export function countOf(genes: readonly { gene: ComparedGene }[], direction: number): number {
  return genes.reduce((count, { gene }) => count + (gene.direction === direction ? 1 : 0), 0);
}

export function within(foldChange: number, bound: number): number {
  return Math.max(-bound, Math.min(bound, foldChange));
}

export type GenePoint = readonly [x: number, y: number, direction: number];

/** Keeps one point per position of the axes. Passing genes come last, and are on top. */
export function pointsOf(
  placed: readonly GenePoint[],
  x: readonly [number, number],
  y: readonly [number, number],
): GenePoint[] {
  const pointByPlace = new Map<number, GenePoint>();
  const placeOf = (value: number, [low, high]: readonly [number, number]): number =>
    Math.round(((value - low) / (high - low)) * places);
  for (const [one, other, direction] of placed) {
    const key = (placeOf(one, x) * (places + 1) + placeOf(other, y)) * 3 + direction + 1;
    if (!pointByPlace.has(key))
      pointByPlace.set(key, [Number(one.toPrecision(5)), Number(other.toPrecision(5)), direction]);
  }
  return [...pointByPlace.values()].toSorted(([, , one], [, , other]) => Math.abs(one) - Math.abs(other));
}

/** Genes to name, the most important first: requested ones in order, else the most significant of each direction. */
export function namedGenes<Gene extends { gene: ComparedGene }>(
  genes: readonly Gene[],
  requested: readonly string[] | undefined,
  limit: number,
): Gene[] {
  if (requested) {
    const placeOf = new Map(requested.map((gene, place) => [cleanLabel(gene), place]));
    return genes
      .filter(({ gene }) => placeOf.has(gene.gene))
      .toSorted((one, other) => placeOf.get(one.gene.gene)! - placeOf.get(other.gene.gene)!)
      .slice(0, limit);
  }
  const best = (direction: number): Gene[] =>
    genes
      .filter(({ gene }) => gene.direction === direction)
      .toSorted(
        ({ gene: one }, { gene: other }) =>
          other.score - one.score || Math.abs(other.foldChange) - Math.abs(one.foldChange),
      )
      .slice(0, namedOfDirection);
  const [up, down] = [best(1), best(-1)];
  // In turns, so that neither direction takes the room of the other.
  return Array.from({ length: namedOfDirection }, (_, rank) => [up[rank], down[rank]])
    .flat()
    .filter((gene) => gene !== undefined);
}

/** Throws FigureInputError for columns of unequal length, or an invalid p or threshold. */
function check({
  genes,
  foldChanges,
  adjustedPs,
  thresholds,
}: Pick<ComparedGenes, 'genes' | 'foldChanges' | 'adjustedPs' | 'thresholds'>): void {
  if (genes.length !== foldChanges.length || genes.length !== adjustedPs.length) {
    throw new FigureInputError(
      'genes',
      `${genes.length} genes have ${foldChanges.length} fold changes and ${adjustedPs.length} p-values`,
    );
  }
  const wrong = adjustedPs.findIndex((p) => p < 0 || p > 1);
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
