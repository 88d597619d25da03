import { nameOfB } from '@cellfolio/analyses';
import type { ComparedCells, SampleColumn } from '@cellfolio/analysis';
import { type CategoricalColumn, resultNotes } from '@cellfolio/model';
import type { InputValues, PlotInput, PseudobulkInput } from '@cellfolio/figures';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { labelIn } from '../../runtime/compute/category-display.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { labelsOf, numbersOf } from '../sample-design/index.ts';
import type { Selection } from '../selection/index.ts';
import { cellsOn, comparedGenes, comparedPlace, groupNotCompared } from './compared-outcome.ts';
import { surestFirst } from './compared-table.ts';
import type { Comparison, Comparisons } from './comparisons.ts';
import type { TestedPart } from './pseudobulk/pseudobulk-comparisons.ts';
import { sumTestWords } from './pseudobulk/words.ts';

type ComparisonInput = Extract<PlotInput, { from: 'comparison' }>;

interface InputDeps {
  comparisons: Comparisons;
  datasets: OpenDatasets;
}

/** Inputs of figures of comparisons, by the name that `PlotInput` gives it. */
export function comparisonInputs(deps: InputDeps) {
  return {
    comparison: geneInputs(deps),
    'compared-sides': sideInputs(deps),
    pseudobulk: pseudobulkInputs(deps),
  };
}

function geneInputs({ comparisons, datasets }: InputDeps) {
  return {
    version: ({ parameters }: ComparisonInput) => comparisons.version(parameters),
    async find(
      selection: Selection,
      { parameters, part }: ComparisonInput,
      call: CallContext,
    ): Promise<InputValues['comparison']> {
      const comparison = await comparisons.run(selection, parameters, call);
      const { symbols } = (await datasets.get(selection.manifest)).genes;
      const place = comparedPlace(comparison, part);
      const table = await comparisons.table(selection, comparison, place, call);
      return comparedGenes(comparison, selection, symbols, { place, table });
    },
  };
}

type SumInput = Extract<PlotInput, { from: 'pseudobulk' }>;

function pseudobulkInputs({ comparisons, datasets }: InputDeps) {
  return {
    version: ({ parameters }: SumInput) => comparisons.version(parameters),
    async find(
      selection: Selection,
      { parameters, part, gene, most: maxGenes }: SumInput,
      call: CallContext,
    ): Promise<InputValues['pseudobulk']> {
      const comparison = await comparisons.run(selection, parameters, call);
      const place = comparedPlace(comparison, part);
      const tested = comparison.pseudobulk?.tested[place];
      if (!tested) {
        const message =
          'Samples can only be drawn for a comparison of samples: pseudobulk, quasi-likelihood or negative-binomial.';
        throw new ApiFailure(422, 'not_pseudobulk', message);
      }
      const { genes } = await datasets.get(selection.manifest);
      const row = gene === undefined ? undefined : genes.find(gene);
      if (gene !== undefined && row === undefined) {
        const message = `The dataset has no gene ${JSON.stringify(gene)}.`;
        throw new ApiFailure(400, 'gene_not_found', message);
      }
      const table =
        row === undefined ? undefined : await comparisons.table(selection, comparison, place, call);
      return pseudobulkInput(tested, {
        a: parameters.a.name,
        b: nameOfB(parameters, cellsOn(comparison.parts, 'b')),
        cautions: resultNotes(comparison.cautions).warnings,
        ...(row !== undefined &&
          table && {
            gene: {
              symbol: genes.symbols[row]!,
              logCpm: (
                await comparisons.genesOfSums(selection, comparison, { place, rows: [row] }, call)
              )[0]!,
              logFoldChange: table.logfoldchanges[row]!,
              adjustedP: table.pvals_adj[row]!,
            },
          }),
        ...(maxGenes !== undefined && {
          surest: await surestGenes(
            { comparisons, symbols: genes.symbols },
            selection,
            comparison,
            { place, maxGenes },
            call,
          ),
        }),
      });
    },
  };
}

async function surestGenes(
  { comparisons, symbols }: { comparisons: Comparisons; symbols: readonly string[] },
  selection: Selection,
  comparison: Comparison,
  { place, maxGenes }: { place: number; maxGenes: number },
  call: CallContext,
): Promise<NonNullable<InputValues['pseudobulk']['surest']>> {
  const { pvals, scores, pvals_adj, logfoldchanges } = await comparisons.table(
    selection,
    comparison,
    place,
    call,
  );
  const tested = [...pvals.keys()].filter((row) => !Number.isNaN(pvals[row]!));
  const rows = [...surestFirst(tested, { pvals, scores }).subarray(0, maxGenes)];
  const values = await comparisons.genesOfSums(selection, comparison, { place, rows }, call);
  return rows.map((row, at) => ({
    symbol: symbols[row] ?? String(row),
    logCpm: values[at]!,
    logFoldChange: logfoldchanges[row]!,
    adjustedP: pvals_adj[row]!,
  }));
}

function pseudobulkInput(
  tested: TestedPart,
  { a, b, cautions, gene, surest }: Pick<PseudobulkInput, 'a' | 'b' | 'cautions' | 'gene' | 'surest'>,
): PseudobulkInput {
  const { part, design, checks, sums } = tested;
  return {
    a,
    b,
    part: part.name,
    test: sumTestWords(tested),
    formula: design.formula,
    samples: sums.map(({ sample: name, side, cells }, at) => ({
      name,
      side,
      cells,
      librarySize: checks.librarySizes[at]!,
      factor: checks.factors[at]!,
      x: checks.map.x[at]!,
      y: checks.map.y[at]!,
    })),
    axes: checks.map.axes,
    columns: design.columns.map((column, at) => columnInput(column, roleOf(design, at))),
    coefficients: design.design.coefficients.map(({ name }, at) => ({
      name,
      values: design.design.columns[at]!,
    })),
    spread: checks.spread,
    histogram: checks.histogram,
    tested: checks.tested,
    ...(cautions && { cautions }),
    ...(gene && { gene }),
    ...(surest && { surest }),
  };
}

type ColumnInput = PseudobulkInput['columns'][number];

function roleOf({ columns, pairedBy }: TestedPart['design'], at: number): ColumnInput['role'] {
  if (at === 0) return 'side';
  return columns[at]!.name === pairedBy ? 'pairing' : 'covariate';
}

function columnInput(column: SampleColumn, role: ColumnInput['role']): ColumnInput {
  const { name } = column;
  return column.kind === 'numeric'
    ? { name, role, kind: 'numeric', values: numbersOf(column) }
    : { name, role, kind: 'categorical', values: labelsOf(column) };
}

type SidesInput = Extract<PlotInput, { from: 'compared-sides' }>;

function sideInputs({ comparisons }: Pick<InputDeps, 'comparisons'>) {
  return {
    version: () => Promise.resolve(''),
    async find(
      selection: Selection,
      { parameters, part }: SidesInput,
      call: CallContext,
    ): Promise<InputValues['compared-sides']> {
      const compared = await comparisons.sides(selection, parameters, call);
      const place = part === undefined ? -1 : compared.parts.findIndex(({ name }) => name === part);
      if (part !== undefined && place < 0) throw groupNotCompared();
      const display = selection.displays?.find(({ column }) => column === parameters.within);
      const column = sideColumn(compared, place < 0 ? undefined : place, labelIn(display));
      return { column, a: parameters.a.name, b: nameOfB(parameters, cellsOn(compared.parts, 'b')) };
    },
  };
}

/** Two categories, or two per part: A before B. */
function sideColumn(
  { sides, partOf, parts }: ComparedCells,
  only: number | undefined,
  nameOf: (category: string) => string,
): CategoricalColumn {
  const isParted = only === undefined && parts.length > 1;
  const codes = Int32Array.from(sides, (side, cell) => {
    const part = partOf?.[cell] ?? 0;
    if (side > 1 || part >= parts.length || (only !== undefined && part !== only)) return -1;
    return isParted ? 2 * part + side : side;
  });
  const names = ['A', 'B'];
  const categories = isParted
    ? parts.flatMap(({ name }) => names.map((one) => `${nameOf(name)} · ${one}`))
    : names;
  return { kind: 'categorical', codes, categories, categoryType: 'string', ordered: false };
}
