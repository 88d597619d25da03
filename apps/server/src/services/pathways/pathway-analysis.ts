import { setImmediate } from 'node:timers/promises';
import type { Caution, PathwayAnalysisAnswer, PathwayParameters } from '@cellfolio/contract';
import type { RankedSets } from '../../compute/task.ts';
import { base64Of, type FigureService } from '../figure-service.ts';
import { type Selection, sourceOf, type Waiting } from '../selection.ts';
import { toCsv } from '../tables/csv.ts';
import { previewTable } from '../tables/preview-table.ts';
import type { ResultTable } from '../tables/table.ts';
import { overlapOf } from './enrichment-bar-input.ts';
import type { EnrichmentTests, PathwayResult } from './enrichment-tests.ts';

/** Gene set enrichment as table, preview and bar plot. */
export class PathwayAnalysis {
  readonly #figures: FigureService;
  readonly #tests: EnrichmentTests;

  constructor(parts: { figures: FigureService; tests: EnrichmentTests }) {
    this.#figures = parts.figures;
    this.#tests = parts.tests;
  }

  async perform(
    selection: Selection,
    parameters: PathwayParameters,
    waiting: Waiting,
  ): Promise<PathwayAnalysisAnswer> {
    const content = {
      kind: 'enrichment-bar-plot',
      ...parameters,
      library_version: await this.#tests.version(parameters.library_name),
    } as const;
    const [{ outcome, texts }, figure] = await Promise.all([
      this.#tests.run(selection, content, waiting).then(async (tested) => {
        // The figure waits for the same test; its thread draws while the table is written here.
        await setImmediate();
        return { outcome: tested, texts: tableTexts(tested) };
      }),
      this.#figures.draw(selection, content, waiting),
    ]);
    const { result, library } = outcome;
    const { name, source, label, setCount } = library;
    const background = result.backgroundSize;
    return {
      ...texts,
      barplot_image: base64Of(figure),
      barplot_width: figure.width,
      barplot_height: figure.height,
      figure: figure.spec,
      source: sourceOf(selection, content),
      library: { name, source, label, set_count: setCount },
      background: {
        gene_count: background,
        description: `The ${background.toLocaleString('en')} genes of the dataset ${selection.manifest.catalogue.name}`,
      },
      found_genes: [...result.queryGenes],
      not_found_genes: [...result.notInBackground],
      warnings: warningsOf(outcome),
    };
  }
}

function tableTexts(
  outcome: PathwayResult,
): Pick<PathwayAnalysisAnswer, 'analysis_csv' | 'analysis_preview_table_html'> {
  const table = enrichmentTable(outcome);
  return {
    analysis_csv: toCsv(table),
    analysis_preview_table_html: previewTable(table, 'No set of the library shares a gene with the list.'),
  };
}

/** gseapy's columns, the most significant sets first. */
function enrichmentTable({ result, library }: PathwayResult): ResultTable {
  const set = library.label === '' ? library.name : `${library.name} (${library.label})`;
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
    rows: Array.from(result.order, (row) => [
      set,
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

/** The genes of the list that are in the set, in the order of the list. */
function overlapGenes({ overlapStarts, overlaps, queryGenes }: RankedSets, row: number): string {
  const start = overlapStarts[row]!;
  let genes = '';
  for (let i = start; i < overlapStarts[row + 1]!; i++) {
    genes += i === start ? queryGenes[overlaps[i]!]! : `;${queryGenes[overlaps[i]!]!}`;
  }
  return genes;
}

function warningsOf({ result, library }: PathwayResult): Caution[] {
  const warnings: Caution[] = library.warnings.map((message) => ({ code: 'library', message }));
  if (library.source === 'starter') {
    warnings.push({
      code: 'starter-library',
      message: `${library.name} has not been fetched, so ${library.setCount} abridged sets stand in for it. They are good for a first look, not for a paper.`,
    });
  }
  if (result.notInBackground.length > 0) {
    const count = result.notInBackground.length;
    warnings.push({
      code: 'genes-not-found',
      message: `${count} of the genes ${count === 1 ? 'is' : 'are'} not in the dataset and left out.`,
    });
  }
  return warnings;
}
