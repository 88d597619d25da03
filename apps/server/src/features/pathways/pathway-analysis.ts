import { setImmediate } from 'node:timers/promises';
import { type ResultCaution } from '@cellfolio/model';
import { geneSetAttribution, type PathwayAnalysisAnswer, type PathwayParameters } from '@cellfolio/contract';
import type { InputValues, PlotInput } from '@cellfolio/figures';
import type { DatasetSpecies, RankedSets } from './background-genes.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { type ResultTable, toCsv } from '../../runtime/tables/result-csv.ts';
import { previewTable } from '../../runtime/tables/preview-table.ts';
import {
  describeBackground,
  enrichmentBarInput,
  overlapOf,
  enrichmentCautions,
  leftOut,
  reportedRows,
  setCounts,
} from './describe-result.ts';
import type { EnrichmentTests, PathwayResult } from './enrichment-tests.ts';
import { originOf } from '../gene-sets/index.ts';
import { type FigureService, figureFields } from '../explore/index.ts';
import { definitionLines, notesOf, type Selection, sourceOf } from '../selection/index.ts';

export interface PathwayAnalysisDeps {
  figures: FigureService;
  enrichmentTests: EnrichmentTests;
}

export async function analysePathways(
  { figures, enrichmentTests }: PathwayAnalysisDeps,
  selection: Selection,
  parameters: PathwayParameters,
  call: CallContext,
): Promise<PathwayAnalysisAnswer> {
  const content = {
    kind: 'enrichment-bar',
    ...parameters,
    library_version: await enrichmentTests.version(parameters.library_name),
  } as const;
  const outcome = await enrichmentTests.run(selection, content, call);
  const cautions = enrichmentCautions(outcome, selection.manifest);
  const enrichment = enrichmentBarInput(outcome, cautions);
  const drawing = figures.draw(selection, content, call, { enrichment });
  // A thread draws while the table is written here.
  const [texts, figure] = await Promise.all([
    setImmediate().then(() =>
      tableTexts(
        outcome,
        cautions,
        definitionLines(selection, { call: 'perform-pathway-analysis', parameters }),
      ),
    ),
    drawing,
  ]);
  const { result, library } = outcome;
  const { notInDataset, onlyNotInBackground } = leftOut(result);
  return {
    ...texts,
    ...figureFields('barplot', figure),
    source: sourceOf(selection, content),
    library: { ...originOf(library), set_count: library.setCount },
    background: backgroundOf(outcome, selection.manifest.catalogue.name),
    species: {
      dataset: speciesAnswer(outcome.background.species),
      library: speciesAnswer(library.species),
      orthologues: library.orthologues ?? null,
    },
    sets: setCounts(outcome),
    minimum_overlap: parameters.minimum_overlap,
    found_genes: [...result.queryGenes],
    not_found_genes: [...notInDataset],
    not_in_background_genes: onlyNotInBackground,
    ...notesOf(selection, cautions),
  };
}

export function enrichmentInputs(tests: EnrichmentTests) {
  type Input = Extract<PlotInput, { from: 'enrichment' }>;
  return {
    version: ({ parameters }: Input) => tests.dependencies(parameters.library_name),
    async find(
      selection: Selection,
      { parameters, version }: Input,
      call: CallContext,
    ): Promise<InputValues['enrichment']> {
      const result = await tests.run(selection, { ...parameters, library_version: version }, call);
      return enrichmentBarInput(result, enrichmentCautions(result, selection.manifest));
    },
  };
}

function backgroundOf(outcome: PathwayResult, datasetName: string): PathwayAnalysisAnswer['background'] {
  const { result, background, parameters } = outcome;
  const words = describeBackground(outcome, datasetName);
  const { kind } = background.choice;
  const chosen = parameters.background;
  return {
    kind,
    gene_count: result.backgroundSize,
    description: `${words[0]!.toUpperCase()}${words.slice(1)}`,
    ...(chosen.kind === 'expressed' && {
      minimum_share: chosen.minimum_share,
      minimum_cells: chosen.minimum_cells,
    }),
    ...(background.requiredCells !== undefined && { required_cells: background.requiredCells }),
    active_cells: background.activeCells,
    dataset_gene_count: background.datasetGenes,
  };
}

function speciesAnswer({ species, by, matching, looked }: DatasetSpecies) {
  return { species: species ?? null, by, matching, looked };
}

function tableTexts(
  outcome: PathwayResult,
  cautions: readonly ResultCaution[],
  head: readonly string[],
): Pick<PathwayAnalysisAnswer, 'analysis_csv' | 'analysis_preview_table_html'> {
  const table = enrichmentTable(outcome);
  const source = `${outcome.library.title}: ${geneSetAttribution(outcome.library)}`;
  const empty =
    outcome.result.order.length === 0
      ? 'No set of the library shares a gene with the list.'
      : `No set of the library shares ${outcome.parameters.minimum_overlap} genes with the list.`;
  return {
    analysis_csv: toCsv(table, cautions, [...head, `Library: ${source}`]),
    analysis_preview_table_html: previewTable(table, empty),
  };
}

/** gseapy's columns, the most significant sets first. */
function enrichmentTable({ result, library, parameters }: PathwayResult): ResultTable {
  return {
    columns: [
      'Gene_set',
      'Term',
      'Overlap',
      'P-value',
      'Adjusted P-value',
      'Odds Ratio',
      'Combined Score',
      'Genes',
    ],
    rows: Array.from(reportedRows(result, parameters.minimum_overlap), (row) => [
      library.title,
      result.terms[row]!,
      overlapOf(result, row),
      result.pValues[row]!,
      result.adjustedPValues[row]!,
      result.oddsRatios[row]!,
      result.combinedScores[row]!,
      overlapGenes(result, row),
    ]),
  };
}

function overlapGenes({ overlapStarts, overlaps, queryGenes }: RankedSets, row: number): string {
  const start = overlapStarts[row]!;
  let genes = '';
  for (let i = start; i < overlapStarts[row + 1]!; i++) {
    genes += i === start ? queryGenes[overlaps[i]!]! : `;${queryGenes[overlaps[i]!]!}`;
  }
  return genes;
}
