import { benjaminiHochberg } from '../statistics/benjamini-hochberg.ts';
import type { CompiledLibrary } from './compile-library.ts';
import { hypergeometricLogTail } from './hypergeometric.ts';

/** One gene set that shares a gene with the query. Sizes count background genes only. */
export interface EnrichmentRow {
  /** Name of the set: gseapy's Term. */
  readonly term: string;
  /** Genes of the query that are in the set. */
  readonly overlapCount: number;
  /** Genes of the set. */
  readonly setSize: number;
  /** gseapy's Overlap: `overlapCount/setSize`. */
  readonly overlap: string;
  /** P(at least this overlap) for genes drawn at random from the background; 0 below about 5e-324. */
  readonly pValue: number;
  /** Natural logarithm of the p-value, finite also where the p-value is 0. */
  readonly logPValue: number;
  /** Benjamini-Hochberg over the rows. */
  readonly adjustedPValue: number;
  /** With 0.5 added to each of the four counts, so always positive and finite. */
  readonly oddsRatio: number;
  /** −ln(pValue) · oddsRatio; Infinity where the p-value is 0. */
  readonly combinedScore: number;
  /** The overlap in the order of the query, as the dataset spells the genes. */
  readonly genes: readonly string[];
}

export interface EnrichmentResult {
  /** In the order of gseapy: by term. A set that shares no gene with the query has no row. */
  readonly rows: readonly EnrichmentRow[];
  /** Genes tested, each once, as the dataset spells them. */
  readonly queryGenes: readonly string[];
  /** Genes of the query that the background lacks, each once, as they were given. */
  readonly notInBackground: readonly string[];
  readonly backgroundSize: number;
}

/**
 * Tests which gene sets hold more genes of the query than chance would give: the numbers of gseapy 1.3's
 * `enrich(query, sets, background=genes)`. Genes are compared without regard to case, so that mouse symbols and names
 * such as C1orf43 meet the upper-case names of libraries; gseapy does so only where most of the query is not in upper
 * case. White space around genes is ignored, and repetitions count once.
 */
export function overRepresentation(library: CompiledLibrary, query: readonly string[]): EnrichmentResult {
  const { names, starts, genes, background, logFactorials } = library;
  const population = background.length;
  const { found, missing } = findQuery(library, query);
  const drawn = found.length;
  // 1 + place in the query, so that 0 says "not in the query".
  const places = new Int32Array(population);
  for (let i = 0; i < drawn; i++) places[found[i]!] = i + 1;

  const hitSets: number[] = [];
  const hitCounts: number[] = [];
  for (let set = 0; set < names.length; set++) {
    const end = starts[set + 1]!;
    let hits = 0;
    for (let i = starts[set]!; i < end; i++) if (places[genes[i]!]! !== 0) hits++;
    if (hits > 0) {
      hitSets.push(set);
      hitCounts.push(hits);
    }
  }

  const logPValues = new Float64Array(hitSets.length);
  for (let row = 0; row < hitSets.length; row++) {
    const set = hitSets[row]!;
    const marked = starts[set + 1]! - starts[set]!;
    const tail = { population, marked, drawn, hits: hitCounts[row]! };
    logPValues[row] = hypergeometricLogTail(tail, logFactorials);
  }
  const pValues = logPValues.map((logPValue) => Math.exp(logPValue));
  const adjusted = benjaminiHochberg(pValues);

  const rows = hitSets.map((set, row): EnrichmentRow => {
    const setSize = starts[set + 1]! - starts[set]!;
    const overlapCount = hitCounts[row]!;
    const pValue = pValues[row]!;
    const oddsRatio = oddsRatioOf(population, setSize, drawn, overlapCount);
    const hits: number[] = [];
    for (let i = starts[set]!; i < starts[set + 1]!; i++) {
      if (places[genes[i]!]! !== 0) hits.push(genes[i]!);
    }
    hits.sort((a, b) => places[a]! - places[b]!);
    return {
      term: names[set]!,
      overlapCount,
      setSize,
      overlap: `${overlapCount}/${setSize}`,
      pValue,
      logPValue: logPValues[row]!,
      adjustedPValue: adjusted[row]!,
      oddsRatio,
      // Not −0 where the p-value is 1.
      combinedScore: pValue === 1 ? 0 : -Math.log(pValue) * oddsRatio,
      genes: hits.map((gene) => background[gene]!),
    };
  });
  return {
    rows,
    queryGenes: found.map((gene) => background[gene]!),
    notInBackground: missing,
    backgroundSize: population,
  };
}

/** The rows with the smallest p-value first; equal ones keep their order. */
export function bySignificance(rows: readonly EnrichmentRow[]): EnrichmentRow[] {
  return [...rows].sort((a, b) => a.logPValue - b.logPValue);
}

/** gseapy's odds ratio of the table (in set, not in set) × (in query, not in query), with 0.5 added to each count. */
function oddsRatioOf(population: number, marked: number, drawn: number, hits: number): number {
  return (
    ((hits + 0.5) * (population - marked - drawn + hits + 0.5)) /
    ((marked - hits + 0.5) * (drawn - hits + 0.5))
  );
}

function findQuery(
  library: CompiledLibrary,
  query: readonly string[],
): { found: number[]; missing: string[] } {
  const found = new Set<number>();
  const missing = new Map<string, string>();
  for (const given of query) {
    const gene = given.trim();
    const key = gene.toUpperCase();
    const number = library.numbers.get(key);
    if (number !== undefined) found.add(number);
    else if (gene !== '' && !missing.has(key)) missing.set(key, gene);
  }
  return { found: [...found], missing: [...missing.values()] };
}
