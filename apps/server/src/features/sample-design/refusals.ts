import type { SideRefusal, SumsRefusal } from '@cellfolio/analysis';
import type { ComparisonParameters } from '@cellfolio/analysis/parameters';
import { columnTitle } from '@cellfolio/contract';
import { countText, quotedHead, listedNames, plural, pluralWord } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { namedColumn } from '../../runtime/group-column.ts';
import type { SampleColumn } from '../../runtime/sample-column.ts';
import { cellsForReplicates, emptySumWords, hasReplicates, type PartSums, sumsOnSides } from './part-sums.ts';
import { quotedColumn } from '../../runtime/column-names.ts';

/** Sums without counts are left out of a test and are no reason to refuse it. */
export type TestRefusal = SideRefusal | Exclude<SumsRefusal, { code: 'empty_library' }>;

export interface RefusedPart {
  /** The category; empty when no column divides the cells into parts. */
  name: string;
  code: TestRefusal['code'];
  reason: string;
  /** Where there are fewer than two of a side: its samples with enough cells. */
  samples?: { a: number; b: number };
}

export type SampleParameters = Pick<ComparisonParameters, 'a' | 'b' | 'min_sample_cells'> &
  Partial<Pick<ComparisonParameters, 'ends'>>;

/** Context of a refusal. Indices of a refusal are those of `sums`. */
export interface RefusedTest extends PartSums {
  parameters: SampleParameters;
  /** Alternatives, phrased like `do this`. */
  otherwise: readonly string[];
  sampleColumn: string;
  /** The column of the design that holds the side of a sum; it cannot be left out. */
  sideColumn: string;
  isPaired: boolean;
  geneCount: number;
}

const maxNamesListed = 8;
const named = (name: string) => quotedHead(name, 80);

export function refusalWords(refusal: TestRefusal, about: RefusedTest): string {
  const words = reasonWords(refusal, about);
  const empty = about.empty.map((sum) => emptySumWords(sum, ''));
  if (empty.length === 0) return words;
  return `${emptySumsWords(listedNames(empty, maxNamesListed))} ${words}`;
}

/** `sums` are the ones left out. */
export function emptySumsWords(sums: string): string {
  return `Left out: samples without counts in the tested genes cannot be normalized: ${sums}.`;
}

function reasonWords(refusal: TestRefusal, about: RefusedTest): string {
  const { isPaired, otherwise, sampleColumn } = about;
  const columns = 'columns' in refusal ? columnList(refusal.columns, about) : '';
  switch (refusal.code) {
    case 'empty_group':
    case 'no_replicates':
      return replicateWords(about);
    case 'missing_values':
      return `${columns} ${hasOrHave(refusal.columns)} no value for ${samplesAt(about, refusal.samples)}. Leave the column out, or choose cells of samples that have values.`;
    case 'confounded': {
      // Without pairs, other columns depend on each other as before.
      const byPairs = isPaired && refusal.columns.includes(sampleColumn);
      return `Effects of ${columns} cannot be separated: in these samples one follows from the others${byPairs ? ', and the pairs already account for what both sums of a sample share' : ''}. ${adviceOf(`leave out ${leavable(refusal.columns, about)}`, byPairs && 'choose no pairing')}`;
    }
    case 'no_residual_df':
      return `${countText(refusal.samples)} sums of samples are too few for the ${countText(refusal.coefficients)} coefficients of the design (${columns}): none is left to estimate how much samples vary. ${adviceOf('leave out a column', isPaired && 'choose no pairing', ...otherwise)}`;
    case 'interaction_levels':
      return `An interaction needs a column of numbers, or of two labels among the samples; ${columns} has ${refusal.levels.length === 0 ? 'none' : `${countText(refusal.levels.length)} (${listedNames(refusal.levels, maxNamesListed)})`}. Choose another column, or cells of two of its labels.`;
    case 'too_few_genes':
      return `${countText(refusal.genes)} genes have enough counts in enough samples; at least ${refusal.needed} are needed. ${adviceOf(about.geneCount >= refusal.needed && 'choose more cells', ...otherwise)}`;
    case 'not_counts':
      return `Gene ${named(refusal.gene)} has negative or non-numeric values among the raw counts. ${adviceOf('correct the file and import it again', ...otherwise)}`;
    case 'not_whole_counts':
      return `Gene ${named(refusal.gene)} has raw counts with fractions, and the negative binomial test needs whole counts. ${adviceOf('choose pseudobulk', ...otherwise)}`;
  }
}

function replicateWords(about: RefusedTest): string {
  const { parameters, sampleColumn, isPaired, sums, unpaired, empty, otherwise } = about;
  const { a, b, ends, min_sample_cells: minCells } = parameters;
  const on = sumsOnSides(about);
  const samples = (count: number) => plural(count, 'sample');
  const cells = `with at least ${plural(minCells, 'cell')}${empty.length > 0 ? ' and with counts' : ''} (${columnTitle(sampleColumn)})`;
  const enough = cellsForReplicates(about, isPaired);
  const advice = adviceOf(
    // Both ends of a sample are always a pair.
    isPaired && !ends && hasReplicates([...sums, ...unpaired]) && 'choose no pairing',
    'choose cells of more samples',
    enough !== undefined && `lower the minimum of cells per sample to ${countText(enough)}`,
    ...otherwise,
  );
  if (isPaired) {
    return `Pairs are compared, and ${on.a === 0 ? 'no sample has' : `only ${samples(on.a)} has`} sums ${cells} on both sides: at least two pairs are needed to estimate how much samples vary. ${advice}`;
  }
  return `A (${named(a.name)}) has ${samples(on.a)} ${cells}, B (${b ? named(b.name) : 'the rest'}) has ${samples(on.b)}. Each side needs at least 2 samples to estimate how much samples vary. ${advice}`;
}

/** A sentence of alternatives: `Do this, do that, or do something else.` */
function adviceOf(...options: readonly (string | false)[]): string {
  const possible = options.filter((option) => option !== false);
  const last = possible.pop() ?? 'choose other cells';
  const words = possible.length === 0 ? last : `${possible.join(', ')}, or ${last}`;
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}

function columnList(
  columns: readonly string[],
  { sideColumn }: Pick<RefusedTest, 'sideColumn'>,
  before = ' and ',
): string {
  const words = columns.map((column) => (column === sideColumn ? 'A against B' : quotedColumn(column)));
  const last = words.pop() ?? '';
  return words.length === 0 ? last : `${words.join(', ')}${before}${last}`;
}

/** Columns that a design can do without: neither the sides nor the samples of pairs. */
function leavable(columns: readonly string[], about: RefusedTest): string {
  const { sideColumn, sampleColumn, isPaired } = about;
  const own = columns.filter((column) => column !== sideColumn && !(isPaired && column === sampleColumn));
  return columnList(own, about, ' or ');
}

function hasOrHave(columns: readonly string[]): string {
  return pluralWord(columns.length, 'has', 'have');
}

function samplesAt({ sums }: RefusedTest, places: readonly number[]): string {
  const names = [...new Set(places.map((place) => sums[place]?.sample ?? ''))];
  return `${pluralWord(names.length, 'sample')} ${listedNames(names, maxNamesListed)}`;
}

/** Throws ApiFailure 422 without a column of samples. */
export function requireSamples(samples: SampleColumn | undefined): asserts samples is SampleColumn {
  if (samples) return;
  throw new ApiFailure(
    422,
    'no_sample_column',
    'No sample column is known. Choose it as Samples: the column of donors, patients or libraries.',
    { details: [{ field: 'samples', problem: 'is not known' }] },
  );
}

export function tooManySamples(column: string, count: number, maximum: number): ApiFailure {
  return new ApiFailure(
    422,
    'too_many_samples',
    `${quotedColumn(column)} has ${countText(count)} values, more than the maximum of ${countText(maximum)} samples: they probably name cells or runs. Choose the column of donors, patients or libraries.`,
    { details: [{ field: 'samples', problem: 'has too many values' }] },
  );
}

export function varyingColumn(column: string, where: string): ApiFailure {
  return new ApiFailure(
    422,
    'varying_column',
    `${quotedColumn(column)} differs between cells of ${where}, but must be constant within a sample. Choose a column that describes samples, such as batch, sex or age.`,
    { details: [{ field: 'covariates', problem: `varies within ${where}` }] },
  );
}

/** Resolves a column of obs, of labels or numbers. Throws ApiFailure 400. */
export async function designColumn(
  dataset: Dataset,
  columnName: string,
  field: 'covariates' | 'numeric_covariates' | 'interaction',
): Promise<string> {
  const column = await namedColumn(dataset, columnName, field);
  const { kind } = await dataset.obs(column);
  if (kind !== 'string' && kind !== 'wide-integer') return column;
  const what = kind === 'string' ? 'free text' : 'integers too long for numbers';
  throw new ApiFailure(
    400,
    'unusable_column',
    `The column ${quotedColumn(column)} holds ${what}: a design needs labels or numbers.`,
    { details: [{ field, problem: `holds ${what}` }] },
  );
}

export function numericColumns(dataset: Dataset, names: readonly string[]): Promise<string[]> {
  return Promise.all(names.map((column) => designColumn(dataset, column, 'numeric_covariates')));
}
