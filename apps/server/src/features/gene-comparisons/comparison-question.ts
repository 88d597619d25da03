import type { ComparedCells } from '@cellfolio/analysis';
import { type ComparisonParameters, isOfSums } from '@cellfolio/analysis/parameters';
import type { Dataset } from '@cellfolio/store';
import { groupColumn } from '../../runtime/group-column.ts';
import { requireDepth } from '../../runtime/cell-depths.ts';
import { requestedSamples, type SampleColumn } from '../../runtime/sample-column.ts';
import { keyOfSelection, type Selection, subsetFilter } from '../selection/index.ts';
import { designColumn, type FoundSides, numericColumns } from '../sample-design/index.ts';
import type { EndSides } from '../value-ranking/index.ts';
import type { SumQuestion } from './pseudobulk/pseudobulk-comparisons.ts';
import { cellTests, requireSums, wilcoxonTest } from './pseudobulk/refusals.ts';
import type { Round } from './rounds.ts';

export interface Question {
  selection: Selection;
  parameters: ComparisonParameters;
  /** Samples before the sides are determined. The sides may use other replicates: those are in `found`. */
  samples: SampleColumn | undefined;
  /** Version of everything that ends depend on besides the cells; empty without ends. */
  version: string;
}

export interface SidedQuestion extends Question {
  ends: EndSides | undefined;
  sides: Extract<FoundSides, { shared: 0 }>;
}

/** Throws ApiFailure 400 for columns that the dataset does not have, 422 when it cannot be compared by sums. */
export async function lookUp(
  dataset: Dataset,
  { selection, version }: Pick<Question, 'selection' | 'version'>,
  request: ComparisonParameters,
): Promise<Question> {
  const within =
    request.within === undefined ? undefined : await groupColumn(dataset, request.within, 'within');
  const { named, samples } = await requestedSamples(dataset, request.samples);
  if (isOfSums(request.method)) requireSums(selection.manifest, samples);
  else requireDepth(selection.manifest, request);
  const design = isOfSums(request.method) ? await designOfQuestion(dataset, request) : {};
  const parameters = {
    ...request,
    ...design,
    ...(within !== undefined && { within }),
    ...(named !== undefined && { samples: named }),
  };
  return { selection, parameters, samples, version };
}

async function designOfQuestion(
  dataset: Dataset,
  { covariates, numeric_covariates: numeric, random_effect: random, interaction }: ComparisonParameters,
) {
  return {
    covariates: await Promise.all(covariates.map((column) => designColumn(dataset, column, 'covariates'))),
    ...(numeric && { numeric_covariates: await numericColumns(dataset, numeric) }),
    ...(random !== undefined && { random_effect: await groupColumn(dataset, random, 'random_effect') }),
    ...(interaction !== undefined && {
      interaction: await designColumn(dataset, interaction, 'interaction'),
    }),
  };
}

/** `round` is the one whose parts `compared` holds; absent for all. */
export function sumQuestion(question: SidedQuestion, compared: ComparedCells, round?: Round): SumQuestion {
  const { selection, parameters, sides } = question;
  const { column, nesting } = sides.samples?.samples ?? question.samples!;
  // Without a random effect it is told how much these samples share.
  const around = nesting?.samples.column === column ? nesting.units[0]?.column : undefined;
  const key = keyOfSides(question);
  return {
    selection,
    parameters,
    samples: column,
    blocks: parameters.method === 'pseudobulk' ? (parameters.random_effect ?? around) : undefined,
    compared,
    otherwise: parameters.ends ? wilcoxonTest : cellTests,
    key: round ? roundKey(key, round) : key,
    untested: [],
  };
}

export function roundKey(key: string, { from, to }: Round): string {
  return `${key}|${from}-${to}`;
}

/** Visible cache key: the active cells, the sets, and all other inputs of the numbers. */
export function keyOf(question: Question): string {
  const { parameters, samples } = question;
  const { a, b, method, tie_correct, pseudocount, sparse_genes, depth, pvals_adj, logfoldchanges } =
    parameters;
  const { covariates, numeric_covariates, pairing, interaction, random_effect } = parameters;
  const { trend, robust, min_sample_cells } = parameters;
  const how = isOfSums(method)
    ? [min_sample_cells, covariates, numeric_covariates, pairing, interaction, random_effect, trend, robust]
    : [tie_correct, pseudocount, sparse_genes, depth];
  const named = [a.name, b?.name, samples, method, ...how, pvals_adj, logfoldchanges];
  return `${keyOfSides(question)}|${JSON.stringify(named)}`;
}

/** The part of the key that identifies sides and parts. */
function keyOfSides({ selection, parameters, samples, version }: Question): string {
  const { a, b, ends, within, unassigned, min_cells, min_sample_cells } = parameters;
  if (ends) {
    const ranked = [ends, version, samples?.column, min_sample_cells, within, min_cells];
    return `${keyOfSelection(selection)}|${JSON.stringify(ranked)}`;
  }
  const set = ({ filter }: ComparisonParameters['a']) =>
    keyOfSelection({ ...selection, subset: subsetFilter(filter) });
  return `${keyOfSelection(selection)}|${JSON.stringify([set(a), b && set(b), within, unassigned, min_cells])}`;
}
