import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { noteDifferences } from '@cellfolio/model/testing';
import { expect } from 'vitest';
import { GeneBackground } from './gene-background.ts';
import { compileLibrary, type GeneSet, geneSetColumns } from './gene-sets.ts';
import { type EnrichmentResult, overRepresentation } from './over-representation.ts';

interface Row {
  term: string;
  overlap: string;
  p: number;
  adjusted: number;
  odds: number;
  /** null is infinity. */
  combined: number | null;
}
/** Written by fixtures/analysis/enrichment_reference.py. */
interface Reference {
  small: {
    title: string;
    background: string[];
    sets: Record<string, string[]>;
    query: string[];
    rows: (Row & { genes: string[] })[];
  }[];
  /** Population, marked, drawn, hits, ln P(X ≥ hits); null is minus infinity. */
  tails: [number, number, number, number, number | null][];
  farTails: {
    backgroundSize: number;
    querySize: number;
    sets: Record<string, [number, number]>;
    rows: Row[];
  };
  published: {
    file: string;
    stride: number;
    largest: number;
    querySize: number;
    overlap: string[];
    p: number[];
    adjusted: number[];
    odds: number[];
    combined: number[];
  }[];
}
export const reference = JSON.parse(
  readFileSync(join(import.meta.dirname, 'enrichment-reference.json'), 'utf8'),
) as Reference;

export function compiled(sets: readonly GeneSet[], genes: readonly string[]) {
  const background = new GeneBackground(genes);
  const library = compileLibrary(geneSetColumns(sets), background);
  return { library, test: (query: readonly string[]) => overRepresentation(library, background, query) };
}

export const setsOf = (sets: Record<string, string[]>): GeneSet[] =>
  Object.entries(sets).map(([name, genes]) => ({ name, genes }));
export const named = (from: number, to: number, prefix = 'GENE') =>
  Array.from({ length: to - from }, (_, i) => `${prefix}${from + i}`);

interface TestedRow {
  term: string;
  overlap: string;
  genes: readonly string[];
  pValue: number;
  logPValue: number;
  adjustedPValue: number;
  oddsRatio: number;
  combinedScore: number;
}

export function rowsOf(result: EnrichmentResult, order: Iterable<number> = result.terms.keys()): TestedRow[] {
  return Array.from(order, (row) => {
    const places = result.overlaps.subarray(result.overlapStarts[row]!, result.overlapStarts[row + 1]!);
    return {
      term: result.terms[row]!,
      overlap: `${places.length}/${result.setSizes[row]!}`,
      genes: Array.from(places, (place) => result.queryGenes[place]!),
      pValue: result.pValues[row]!,
      logPValue: result.logPValues[row]!,
      adjustedPValue: result.adjustedPValues[row]!,
      oddsRatio: result.oddsRatios[row]!,
      combinedScore: result.combinedScores[row]!,
    };
  });
}

function expectNear(ours: number, theirs: number): void {
  noteDifferences('enrichment', [ours], [theirs]);
  expect(Math.abs(ours - theirs), `${ours} for ${theirs}`).toBeLessThanOrEqual(1e-6 * Math.abs(theirs));
}

export function expectRow(ours: TestedRow, theirs: Omit<Row, 'term'>): void {
  expect(ours.overlap).toBe(theirs.overlap);
  expectNear(ours.pValue, theirs.p);
  expectNear(ours.adjustedPValue, theirs.adjusted);
  expectNear(ours.oddsRatio, theirs.odds);
  expect(ours.combinedScore === Infinity).toBe(theirs.combined === null);
  expectNear(Math.min(ours.combinedScore, Number.MAX_VALUE), theirs.combined ?? Number.MAX_VALUE);
}
