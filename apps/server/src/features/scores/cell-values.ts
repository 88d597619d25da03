import type { ValueSource } from '@cellfolio/analyses/serve';
import type { ValueChoice } from '@cellfolio/analysis/parameters';
import { columnTitle } from '@cellfolio/contract';
import { expressionUnit, type ResultCaution } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { type OpenDatasets, requireGene } from '../../runtime/compute/open-datasets.ts';
import { columnUnit, quotedColumn } from '../../runtime/column-names.ts';
import { otherNameCautions, otherNamesAmong } from '../../runtime/gene-names/named-genes.ts';
import { namedColumn } from '../../runtime/group-column.ts';
import { datasetOf, type Selection } from '../selection/index.ts';
import type { NamedScore, NamedScores } from './named-scores.ts';

interface CellValues {
  choice: ValueChoice;
  source: ValueSource;
  title: string;
  /** Name for the middle of a sentence, such as `the expression of CD8A`, and the meaning of its numbers. */
  name: string;
  unit: string;
  /** Genes that the values are computed from: they follow them by construction. */
  genes: readonly { row: number; symbol: string }[];
  score?: NamedScore;
  /** How the genes were found. */
  cautions: readonly ResultCaution[];
}

/**
 * Resolves the values and computes scores. `field` is the position of the choice in the request. Throws ApiFailure 400
 * for names that the dataset does not have and columns without numbers, and what scores throw.
 */
export async function cellValues(
  { datasets, scores }: { datasets: OpenDatasets; scores: NamedScores },
  selection: Selection,
  { choice, field }: { choice: ValueChoice; field: string },
  call: CallContext,
): Promise<CellValues> {
  if (choice.of === 'signature' || choice.of === 'cell-state') {
    const score = await scores.of(selection, choice, call);
    return {
      choice,
      source: { from: 'values', values: score.scores },
      title: score.title,
      name: `the score of ${score.title} (${score.subtitle})`,
      unit: 'score',
      genes: score.rows.map((row, at) => ({ row, symbol: score.symbols[at]! })),
      score,
      cautions: score.cautions,
    };
  }
  const dataset = await datasets.get(datasetOf(selection));
  if (choice.of === 'gene') {
    const row = requireGene(dataset, choice.gene, `${field}.gene`);
    const symbol = dataset.genes.symbols[row] ?? choice.gene;
    return {
      choice: { ...choice, gene: symbol },
      source: { from: 'gene', row },
      title: symbol,
      name: `the expression of ${symbol}`,
      unit: expressionUnit(dataset.manifest.expression),
      genes: [{ row, symbol }],
      cautions: otherNameCautions(otherNamesAmong(dataset.genes, [choice.gene]), 'the request'),
    };
  }
  const column = await numericColumn(dataset, choice.column, `${field}.column`);
  const title = columnTitle(column, selection.own);
  return {
    choice: { ...choice, column },
    source: { from: 'column', column },
    title,
    name: title,
    unit: columnUnit(dataset, column) ?? title,
    genes: [],
    cautions: [],
  };
}

async function numericColumn(dataset: Dataset, columnName: string, field: string): Promise<string> {
  const column = await namedColumn(dataset, columnName, field);
  const { kind } = await dataset.obs(column);
  if (kind === 'numeric') return column;
  const holds = kind === 'string' ? 'text' : kind === 'wide-integer' ? 'numbers of 2^53 or more' : 'labels';
  throw new ApiFailure(
    400,
    'not_numeric',
    `The column ${quotedColumn(column)} holds ${holds}. Choose a column of numbers, such as a score or a measure of quality.`,
    { details: [{ field, problem: `is a ${kind} column` }] },
  );
}
