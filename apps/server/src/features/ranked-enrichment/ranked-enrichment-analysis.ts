import { minProbability, scoreCorners } from '@cellfolio/analysis';
import type { RankedEnrichmentParameters } from '@cellfolio/analysis/parameters';
import { csvComments, geneSetAttribution, type RankedEnrichmentAnswer } from '@cellfolio/contract';
import { type ResultCaution, countText, stringAt, noteLines, resultNotes } from '@cellfolio/model';
import type { InputValues, PlotInput } from '@cellfolio/figures';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { csvLine } from '../../runtime/tables/result-csv.ts';
import { type FigureService, figureFields } from '../explore/index.ts';
import { definitionLines, notesOf, type Selection, sourceOf } from '../selection/index.ts';
import { rankedEnrichmentCautions, threshold } from './cautions.ts';
import type { RankedEnrichment, RankedEnrichments } from './ranked-enrichments.ts';

export interface RankedEnrichmentDeps {
  figures: FigureService;
  rankedEnrichments: RankedEnrichments;
}

/** Sets of each side passed to the figure: more than it draws. */
const setsOfSide = 20;

export async function analyseRanking(
  { figures, rankedEnrichments }: RankedEnrichmentDeps,
  selection: Selection,
  parameters: RankedEnrichmentParameters,
  call: CallContext,
): Promise<RankedEnrichmentAnswer> {
  const content = {
    kind: 'ranked-enrichment-bar',
    ...parameters,
    library_version: await rankedEnrichments.version(parameters.library_name),
  } as const;
  const enrichment = await rankedEnrichments.run(selection, content, call);
  const cautions = rankedEnrichmentCautions(enrichment);
  const figureValues = figureInput(enrichment, cautions);
  call.onProgress({ stage: 'Drawing the sets', done: 0, total: 1 });
  const figure = await figures.draw(selection, content, call, { 'ranked-enrichment': figureValues });
  const { ranked, ranking, library, parameters: testedParameters } = enrichment;
  const { tooSmall, tooLarge, ...counts } = ranked.counts;
  return {
    analysis_csv: `${csvComments(headLines(selection, enrichment, cautions))}${tableLines(enrichment)}`,
    ...figureFields('barplot', figure),
    source: sourceOf(selection, content),
    method: testedParameters.method,
    ranking: {
      name: ranking.name,
      metric: ranking.metric,
      top: ranking.sides.top,
      end: ranking.sides.end,
      entries: ranking.entries,
      genes: ranked.metric.length,
      repeated: counts.repeated,
      missing: counts.missing,
      tied: counts.tied,
      unmapped: counts.unmapped,
      in_sets: counts.inSets,
    },
    library: library.origin,
    sets: {
      tested: ranked.scores.length,
      too_small: tooSmall + library.compiled.dropped,
      too_large: tooLarge,
      threshold,
      significant_top: figureValues.significant.top,
      significant_end: figureValues.significant.end,
    },
    permutations: testedParameters.permutations,
    seed: testedParameters.seed,
    weight: testedParameters.weight,
    min_size: testedParameters.min_size,
    max_size: testedParameters.max_size,
    ...notesOf(selection, cautions),
  };
}

type Input = Extract<PlotInput, { from: 'ranked-enrichment' }>;

export function rankedEnrichmentInputs(rankedEnrichments: RankedEnrichments) {
  return {
    version: ({ parameters }: Input) => rankedEnrichments.dependencies(parameters.library_name),
    async find(
      selection: Selection,
      { parameters, version, term }: Input,
      call: CallContext,
    ): Promise<InputValues['ranked-enrichment']> {
      const request = { ...parameters, library_version: version };
      const enrichment = await rankedEnrichments.run(selection, request, call);
      return figureInput(enrichment, rankedEnrichmentCautions(enrichment), term);
    },
  };
}

/** Throws ApiFailure 422 for a set that was not tested. */
function figureInput(
  enrichment: RankedEnrichment,
  cautions: readonly ResultCaution[],
  term?: string,
): InputValues['ranked-enrichment'] {
  const { ranked, ranking, library, tests, parameters, order } = enrichment;
  const isFound = (set: number) => tests.falseDiscoveryRates[set]! <= threshold;
  const side = (isSide: (nes: number) => boolean) => order.filter((set) => isSide(tests.normalised[set]!));
  const [top, end] = [side((nes) => nes > 0), side((nes) => nes < 0)];
  const shownSets = [top, end].flatMap((sets) =>
    Array.from(
      sets.toSorted((a, b) => rateOf(enrichment, a) - rateOf(enrichment, b)).subarray(0, setsOfSide),
      (set) => rowOf(enrichment, set),
    ),
  );
  const chosen = term === undefined ? order[0] : order.find((set) => stringAt(ranked.terms, set) === term);
  if (term !== undefined && chosen === undefined) {
    const message = 'This set was not tested: it has too few or too many ranked genes.';
    throw new ApiFailure(422, 'set_not_tested', message);
  }
  return {
    ranking: ranking.name,
    library: library.origin.title,
    sides: ranking.sides,
    metric: ranked.metric,
    metricName: ranking.metric,
    tested: ranked.scores.length,
    leastP: parameters.method === 'permutation' ? 1 / parameters.permutations : minProbability,
    threshold,
    significant: { top: top.filter(isFound).length, end: end.filter(isFound).length },
    sets: shownSets,
    curve: chosen === undefined ? null : curveOf(enrichment, chosen),
    cautions: resultNotes(cautions).warnings,
  };
}

function rateOf({ tests }: RankedEnrichment, set: number): number {
  const rate = tests.falseDiscoveryRates[set]!;
  return Number.isNaN(rate) ? 1 : rate;
}

function rowOf({ ranked, tests }: RankedEnrichment, set: number) {
  const { terms, scores, starts, leadingStarts } = ranked;
  return {
    term: stringAt(terms, set),
    es: scores[set]!,
    nes: tests.normalised[set]!,
    p: tests.pValues[set]!,
    fdr: tests.falseDiscoveryRates[set]!,
    fwer: tests.familyWise[set]!,
    size: starts[set + 1]! - starts[set]!,
    leading: leadingStarts[set + 1]! - leadingStarts[set]!,
  };
}

function curveOf(enrichment: RankedEnrichment, set: number) {
  const { places, starts, weights } = enrichment.ranked;
  const hits = places.slice(starts[set], starts[set + 1]);
  return {
    ...rowOf(enrichment, set),
    ...scoreCorners(weights, hits),
    hits,
    leadingGenes: leadingGenes(enrichment, set),
  };
}

function leadingGenes({ ranked }: RankedEnrichment, set: number): string[] {
  const { genes, leading, leadingStarts } = ranked;
  const edge = leading.subarray(leadingStarts[set], leadingStarts[set + 1]);
  return Array.from(edge, (place) => stringAt(genes, place));
}

/** gseapy's columns and order, with the size of the set. */
function tableLines(enrichment: RankedEnrichment): string {
  const { ranked, tests, order } = enrichment;
  const { log2Errors } = tests;
  const columns = ['Term', 'ES', 'NES', 'NOM p-val', 'FDR q-val', log2Errors ? 'log2err' : 'FWER p-val'];
  const lines = [csvLine([...columns, 'Size', 'Tag %', 'Gene %', 'Lead_genes'])];
  for (const set of order) {
    const { term, es, nes, p, fdr, fwer, size, leading } = rowOf(enrichment, set);
    const gene = `${(100 * ranked.geneShares[set]!).toFixed(2)}%`;
    const edge = leadingGenes(enrichment, set).join(';');
    const last = log2Errors ? log2Errors[set]! : fwer;
    lines.push(csvLine([term, es, nes, p, fdr, last, size, `${leading}/${size}`, gene, edge]));
  }
  return lines.join('');
}

function headLines(
  selection: Selection,
  { ranking, ranked, library, parameters }: RankedEnrichment,
  cautions: readonly ResultCaution[],
): string[] {
  const { method, permutations, seed, weight, min_size: minSize, max_size: maxSize } = parameters;
  const test =
    method === 'permutation'
      ? `p-values, FDR and FWER of ${countText(permutations)} gene permutations as gseapy's prerank has them with seed ${seed}`
      : `p-values by a multilevel split as fgsea has them, FDR of Benjamini and Hochberg; normalised by ${countText(permutations)} gene permutations; seed ${seed}`;
  return [
    ...definitionLines(selection, { call: 'perform-ranked-enrichment', parameters }),
    `Ranking: ${ranking.name}; ${countText(ranked.metric.length)} genes, top: ${ranking.sides.top}, end: ${ranking.sides.end}`,
    `Library: ${library.origin.title}: ${geneSetAttribution(library.origin)}`,
    `Test: ${test}; weight ${weight}; sets of ${countText(minSize)} to ${countText(maxSize)} ranked genes`,
    'Columns: ES enrichment score, NES normalised by permuted scores of its sign, Size ranked genes of the set, Tag % those of the leading edge, Gene % share of the ranking up to the score, Lead_genes the leading edge, the most extreme first',
    ...noteLines(cautions),
  ];
}
