import { nameOfB } from '@cellfolio/analyses';
import { resultNotes } from '@cellfolio/model';
import type { InputValues, PlotInput } from '@cellfolio/figures';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import {
  cellsOn,
  comparedGenes,
  comparedPlace,
  type Comparison,
  type Comparisons,
  surestFirst,
} from '../gene-comparisons/index.ts';
import type { Selection } from '../selection/index.ts';
import { pseudobulkInput } from './pseudobulk-input.ts';

type ComparisonInput = Extract<PlotInput, { from: 'comparison' }>;

export function comparisonInputs({
  comparisons,
  datasets,
}: {
  comparisons: Comparisons;
  datasets: OpenDatasets;
}) {
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

export function pseudobulkInputs({
  comparisons,
  datasets,
}: {
  comparisons: Comparisons;
  datasets: OpenDatasets;
}) {
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
