import { geneDatasets } from '@cellfolio/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useServices } from '@/lib/services.ts';
import { useSettled } from '@/lib/use-time.ts';

/** In how many cells of a dataset a gene is found. */
export interface GeneInDataset {
  gene: string;
  expressing: number;
  cells: number;
}

/** For each word of a search that is a gene somewhere, in small letters: the datasets that have it, by file name. */
export type GenesFound = ReadonlyMap<string, ReadonlyMap<string, GeneInDataset>>;

const mostWords = 10;
const none: GenesFound = new Map();

/** Asks which datasets have the genes among the words of a search. Until it is known, and where it cannot be, none. */
export function useGeneDatasets(search: string): GenesFound {
  const { api } = useServices();
  const words = useSettled(wordsOf(search).join(','));
  const query = useQuery({
    queryKey: ['gene-datasets', words],
    enabled: words !== '',
    staleTime: 5 * 60_000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<GenesFound> => {
      const { genes } = await api({
        path: `/api/gene-datasets?${new URLSearchParams({ genes: words })}`,
        answer: geneDatasets,
        signal,
      });
      return new Map(
        genes.map(({ gene, datasets }) => [
          gene.toLowerCase(),
          new Map(
            datasets.map(({ dataset_filename, expressing_cells, cell_count }) => [
              dataset_filename,
              { gene: gene.toUpperCase(), expressing: expressing_cells, cells: cell_count },
            ]),
          ),
        ]),
      );
    },
  });
  return query.data ?? none;
}

/** What could be symbols of genes; the order makes no other question. */
export function wordsOf(search: string): string[] {
  const words = search.split(/[\s,;]+/).filter((word) => /^[a-z0-9][\w.\-@/()]{1,39}$/i.test(word));
  return [...new Set(words.map((word) => word.toLowerCase()))].sort().slice(0, mostWords);
}
