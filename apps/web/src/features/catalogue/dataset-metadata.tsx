import type { CatalogueDataset, DatasetMetadata } from '@cellfolio/contract';
import { datasetMetadata } from '@cellfolio/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { Badge } from '@/components/ui/badge.tsx';
import type { ApiClient } from '@/lib/api-client.ts';
import { CallFailed } from '@/lib/api-errors.ts';
import { useServices } from '@/lib/services.ts';

const sevenDays = 7 * 24 * 60 * 60 * 1000;

export const datasetMetadataKey = ['dataset-metadata'] as const;

/** The catalogue: disease, then sub-disease, then datasets. Cached and fresh for seven days. */
export function datasetMetadataQuery(api: ApiClient) {
  return queryOptions({
    queryKey: datasetMetadataKey,
    queryFn: async ({ signal }) => {
      try {
        return await api({ path: '/api/dataset_metadata', answer: datasetMetadata, signal });
      } catch (cause) {
        if (signal.aborted) throw cause;
        throw new CallFailed('Failed to fetch dataset metadata', cause);
      }
    },
    staleTime: sevenDays,
    gcTime: sevenDays,
  });
}

export function useDatasetMetadata() {
  const { api } = useServices();
  return useQuery(datasetMetadataQuery(api));
}

export interface CatalogueEntry {
  disease: string;
  subDisease: string;
  dataset: CatalogueDataset;
}

/** The catalogue entry of a dataset; under the given disease if it is there, else under any. */
export function findDataset(
  catalogue: DatasetMetadata | undefined,
  filename: string | null,
  disease?: string | null,
): CatalogueEntry | undefined {
  if (catalogue === undefined || filename === null) return undefined;
  let elsewhere: CatalogueEntry | undefined;
  for (const [name, subDiseases] of Object.entries(catalogue)) {
    for (const [subDisease, datasets] of Object.entries(subDiseases)) {
      const dataset = datasets.find((candidate) => candidate.dataset_filename === filename);
      if (dataset === undefined) continue;
      const entry = { disease: name, subDisease, dataset };
      if (disease === undefined || disease === null || disease === name) return entry;
      elsewhere ??= entry;
    }
  }
  return elsewhere;
}

export function explorerPath(disease: string, dataset: string): string {
  return `/explorer?${new URLSearchParams({ disease, dataset })}`;
}

export function assetUrl(analysisUrl: string, path: string): string {
  return new URL(path, `${analysisUrl}/`).href;
}

/** The public page of a GEO series; `undefined` for any other accession. */
export function gsePage(accession: string): string | undefined {
  return /^GSE\d+$/i.test(accession)
    ? `https://www.ncbi.nlm.nih.gov/geo/query/acc.cgi?acc=${accession.toUpperCase()}`
    : undefined;
}

export function formatMetadataValue(value: string | readonly string[]): string {
  return typeof value === 'string' ? value : value.join(', ');
}

export function SimulatedBadge() {
  return (
    <Badge variant="warning" title="Simulated data for trying the tool; not measured on patients.">
      <FlaskConical aria-hidden className="size-3" />
      Simulated
    </Badge>
  );
}
