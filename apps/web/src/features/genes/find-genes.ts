import { geneNamesAnswer, maxNamesLookedUp } from '@cellfolio/contract';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { ApiClient } from '@/lib/api-client.ts';
import { useServices } from '@/lib/services.ts';
import type { GeneIndex, OtherNames, ReadGenes } from './gene-index.ts';
import { readGenes } from './gene-index.ts';

/**
 * Asks the server for names that are no symbols of the dataset, such as Ensembl ids, former symbols and aliases: the
 * page has the symbols only. Names that the dataset lacks are missing in the answer.
 */
export function otherNamesQuery(api: ApiClient, dataset: GeneIndex['dataset'], names: readonly string[]) {
  const queryNames = names.filter((name) => name.length <= 500).slice(0, maxNamesLookedUp);
  return queryOptions({
    queryKey: ['gene-names', dataset?.filename, dataset?.version, queryNames],
    enabled: dataset !== undefined && queryNames.length > 0,
    staleTime: Infinity,
    queryFn: async ({ signal }): Promise<OtherNames> => {
      const { genes, ambiguous } = await api({
        path: `/api/datasets/${encodeURIComponent(dataset?.filename ?? '')}/gene-names`,
        body: { names: queryNames },
        answer: geneNamesAnswer,
        signal,
      });
      return {
        symbols: new Map(genes.map(({ name, symbol }) => [name, symbol])),
        ambiguous: new Map(ambiguous.map(({ name, symbols }) => [name, symbols])),
      };
    },
  });
}

/** Finds the genes of a list in the dataset, asking the server about names that are none of its symbols. */
export function useFindGenes(index: GeneIndex) {
  const { api } = useServices();
  const client = useQueryClient();
  return async (names: readonly string[]): Promise<ReadGenes> => {
    const read = readGenes(names, index);
    if (index.dataset === undefined || read.missing.length === 0) return read;
    const others = await client
      .fetchQuery(otherNamesQuery(api, index.dataset, read.missing))
      .catch(() => undefined);
    return others === undefined ? read : readGenes(names, index, others);
  };
}
