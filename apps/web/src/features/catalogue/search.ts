import type { CatalogueDataset, DatasetMetadata } from '@cellfolio/contract';
import { catalogueFields, columnTitle, geneDatasets } from '@cellfolio/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useNavigationType, useSearchParams } from 'react-router';
import { useServices } from '@/lib/services.ts';
import { useSettled } from '@/lib/use-time.ts';
import { partOf } from './catalogue-entries.ts';
import { formatMetadataValue } from './dataset-metadata.tsx';

/** The search text. It is also in the URL, so that a search can be shared. */
export function useSearch() {
  const [params, setParams] = useSearchParams();
  // Kept beside the address, which follows a moment later than somebody types.
  const [search, setText] = useState(() => params.get('search') ?? '');
  const [narrowed, setNarrowed] = useState(false);
  const back = useNavigationType() === 'POP';
  const { key } = useLocation();
  const searchParam = params.get('search') ?? '';
  useEffect(() => {
    if (back) setText(searchParam);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- with each step back or forward, not while somebody types
  }, [key]);
  return {
    search,
    setSearch(text: string) {
      setText(text);
      setNarrowed(false);
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          if (text.trim() === '') next.delete('search');
          else next.set('search', text.trim());
          return next;
        },
        { replace: true, preventScrollReset: true },
      );
    },
    /** One sub-disease of the matches is selected, rather than all of them. */
    narrowed,
    setNarrowed,
  };
}

/**
 * The part of the catalogue that contains every word: in the disease, the sub-disease, the description of the dataset,
 * or as a gene that it has. Case-insensitive; without words everything matches. Empty branches are omitted.
 */
export function searchCatalogue(
  catalogue: DatasetMetadata,
  text: string,
  genes: GeneMatches = new Map(),
): DatasetMetadata {
  const words = text
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter(Boolean);
  if (words.length === 0) return catalogue;
  return partOf(catalogue, ({ disease, subDisease, dataset }) => {
    const haystack = `${disease}\n${subDisease}\n${textOf(dataset)}`.toLowerCase();
    return words.every(
      (word) => haystack.includes(word) || genes.get(word)?.has(dataset.dataset_filename) === true,
    );
  });
}

function textOf(dataset: CatalogueDataset): string {
  const { dataset_filename, name, description, category1, category2 } = dataset;
  const { cell_types = [], ontology_terms = [], patient_metadata = {} } = dataset;
  const lines = [dataset_filename, name, description, category1, category2];
  lines.push(...catalogueFields.map((field) => String(dataset[field.name] ?? '')));
  lines.push(dataset.simulated ? 'simulated' : '', ...cell_types);
  lines.push(...ontology_terms.map(({ id, label }) => `${id} ${label}`));
  for (const [key, value] of Object.entries(patient_metadata)) {
    lines.push(`${columnTitle(key)}: ${formatMetadataValue(value)}`);
  }
  return lines.join('\n');
}

export interface GeneInDataset {
  gene: string;
  expressing: number;
  cells: number;
}

/** For each search word that is a known gene, in lower case: the datasets that have it, by file name. */
export type GeneMatches = ReadonlyMap<string, ReadonlyMap<string, GeneInDataset>>;

const maxWords = 10;
const none: GeneMatches = new Map();

/** Queries which datasets have the genes among the search words. Empty while loading and on failure. */
export function useGeneDatasets(search: string): GeneMatches {
  const { api } = useServices();
  const words = useSettled(wordsOf(search).join(','));
  const query = useQuery({
    queryKey: ['gene-datasets', words],
    enabled: words !== '',
    staleTime: 5 * 60_000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<GeneMatches> => {
      const { genes } = await api({
        path: `/api/gene-datasets?${new URLSearchParams({ genes: words })}`,
        answer: geneDatasets,
        signal,
      });
      return new Map(
        genes.map(({ gene, datasets }) => [
          gene.toLowerCase(),
          new Map(
            datasets.map(({ dataset_filename, symbol, expressing_cells, cell_count }) => [
              dataset_filename,
              { gene: symbol ?? gene.toUpperCase(), expressing: expressing_cells, cells: cell_count },
            ]),
          ),
        ]),
      );
    },
  });
  return query.data ?? none;
}

/** Words that could be gene symbols; normalised so that their order does not change the query. */
export function wordsOf(search: string): string[] {
  const words = search.split(/[\s,;]+/).filter((word) => /^[a-z0-9][\w.\-@/()]{1,39}$/i.test(word));
  return [...new Set(words.map((word) => word.toLowerCase()))].sort().slice(0, maxWords);
}
