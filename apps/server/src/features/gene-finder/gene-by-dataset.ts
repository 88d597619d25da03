import type { GeneSummary } from '@cellfolio/contract';
import type { GeneByDatasetInput } from '@cellfolio/plots';

/**
 * What is drawn and said of a summary: a row for each dataset, a column for each joined cell type. The gene is named as the
 * datasets name it, where they agree.
 */
export function geneByDataset({
  gene,
  datasets,
  columns,
}: Pick<GeneSummary, 'gene' | 'datasets' | 'columns'>): GeneByDatasetInput {
  const symbols = new Set(datasets.map(({ symbol }) => symbol));
  return {
    gene: symbols.size === 1 ? datasets[0]!.symbol : gene,
    cellTypes: columns.map(({ name }) => name),
    datasets: datasets.map(({ name, simulated, cell_types: cellTypes }) => {
      const types = new Map(cellTypes.map((type) => [type.column, type]));
      return {
        name: simulated ? `${name} (simulated)` : name,
        types: columns.map((_, place) => types.get(place)),
      };
    }),
  };
}
