import { type DatasetFacts, editsBetween, wordsToLookUp } from '@cellfolio/assistant';
import type { DatasetAnalysis, MapColumnList } from '@cellfolio/contract';
import type { QueryClient } from '@tanstack/react-query';
import { type GeneIndex, otherNamesQuery, readGenes } from '@/features/genes/index.ts';
import { columnListQuery } from '@/features/map/index.ts';
import type { ApiClient } from '@/lib/api-client.ts';

const maxSimilar = 3;

/** Finds the names of a dataset that a question can mean; genes that the page does not know are looked up by the server. */
export async function factsFor(
  question: string,
  {
    analysis,
    index,
    api,
    client,
  }: { analysis: DatasetAnalysis; index: GeneIndex; api: ApiClient; client: QueryClient },
): Promise<DatasetFacts> {
  const words = wordsToLookUp(question);
  const genes = new Map<string, string>();
  const unknown: string[] = [];
  for (const word of words) {
    // Without a list of genes any name would count as one.
    const [gene] = index.symbols.length === 0 ? [] : readGenes([word], index).genes;
    if (gene === undefined) unknown.push(word);
    else genes.set(word, gene);
  }
  const [others, columns] = await Promise.all([
    unknown.length === 0 ? undefined : client.fetchQuery(otherNamesQuery(api, index.dataset, unknown)),
    client.fetchQuery(
      columnListQuery(api, { filename: analysis.dataset_filename, version: analysis.version }),
    ),
  ]);
  for (const [word, symbol] of others?.symbols ?? []) genes.set(word, symbol);
  const missing = unknown.filter((word) => !genes.has(word));
  const similar = missing.map(
    (word) => [word, others?.ambiguous.get(word) ?? similarGenes(word, index)] as const,
  );
  return { ...columnFacts(analysis, columns), genes, similarGenes: new Map(similar) };
}

/** Genes that differ in a letter from a word with capitals or digits. */
function similarGenes(word: string, { symbols, lower }: GeneIndex): string[] {
  if (!/\p{Lu}|\p{N}/u.test(word)) return [];
  const small = word.toLowerCase();
  const near = symbols.filter((_, at) => {
    const other = lower[at]!;
    return (
      Math.abs(other.length - small.length) < 2 && other[0] === small[0] && editsBetween(other, small) === 1
    );
  });
  return near.slice(0, maxSimilar);
}

/** Columns of the dataset by their names in obs. */
export function columnFacts(
  {
    cell_types: types,
    leiden_clusters: clusters,
    patient_metadata: metadata,
    columns,
  }: Pick<DatasetAnalysis, 'cell_types' | 'leiden_clusters' | 'patient_metadata' | 'columns'>,
  list?: Pick<MapColumnList, 'obs'>,
): Omit<DatasetFacts, 'genes'> {
  const fields = new Map(Object.entries(metadata));
  const { cell_types: typeColumn, leiden_clusters: clusterColumn } = columns;
  const all = [
    { column: typeColumn, names: types },
    { column: clusterColumn, names: clusters },
    ...columns.patient_metadata.map(({ field, column }) => ({ column, names: fields.get(field) ?? [] })),
  ];
  return {
    groups: all.flatMap(({ column, names }) =>
      column === undefined || names.length === 0 ? [] : { column, names },
    ),
    cellTypes: types.length > 0 ? typeColumn : undefined,
    clusters: clusters.length > 0 ? clusterColumn : undefined,
    numbers: (list?.obs ?? []).filter(({ kind }) => kind === 'levels').map(({ name }) => name),
  };
}
