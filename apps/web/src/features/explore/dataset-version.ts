import type { CatalogueDataset, DatasetAnalysis } from '@cellfolio/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { datasetMetadataQuery, findDataset } from '@/features/catalogue/index.ts';
import { useServices } from '@/lib/services.ts';

/** The version that the catalogue lists of a dataset: the address of its figure names it. */
export function listedVersion(entry: Pick<CatalogueDataset, 'umap_url'> | undefined): string | undefined {
  const query = entry?.umap_url.split('?')[1];
  return query === undefined ? undefined : (new URLSearchParams(query).get('version') ?? undefined);
}

interface Known<T> {
  /** Undefined while it is not known. */
  readonly value: T | undefined;
  /** When the server said so, in milliseconds since the epoch. */
  readonly at: number;
}

/** Whether the server, asked after a dataset was opened, has another version of it. */
export function isReplacedSince(
  opened: Known<Pick<DatasetAnalysis, 'version'>>,
  listed: Known<string>,
): boolean {
  if (listed.value === undefined || opened.value === undefined || listed.at <= opened.at) return false;
  return listed.value !== opened.value.version;
}

/** Milliseconds for which the version that the catalogue listed counts when a window is turned to. */
const freshOnFocus = 5000;

/** Asks the catalogue anew when the window is turned to: a dataset is replaced from elsewhere. */
export function useCatalogueOnFocus(): void {
  const { api } = useServices();
  const client = useQueryClient();
  useEffect(() => {
    const ask = () => {
      const query = { ...datasetMetadataQuery(api), staleTime: freshOnFocus };
      client.fetchQuery(query).catch((error: unknown) => {
        console.warn('The catalogue could not be read.', error);
      });
    };
    window.addEventListener('focus', ask);
    return () => window.removeEventListener('focus', ask);
  }, [api, client]);
}

/**
 * Asks the server whether a dataset is still of the version that is open; true where it does not answer. Of an upload,
 * which is in no catalogue, its calls tell.
 */
export function useIsCurrent({ filename, version }: { filename: string; version: string }) {
  const { api } = useServices();
  const client = useQueryClient();
  return async (): Promise<boolean> => {
    try {
      const catalogue = await client.fetchQuery({ ...datasetMetadataQuery(api), staleTime: 0 });
      const listed = listedVersion(findDataset(catalogue, filename)?.dataset);
      return listed === undefined || listed === version;
    } catch (error) {
      console.warn('The catalogue could not be read.', error);
      return true;
    }
  };
}
