import type { CatalogueDataset, DatasetAnalysis } from '@cellfolio/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { datasetMetadataQuery, findDataset } from '@/features/catalogue/index.ts';
import { useServices } from '@/lib/services.ts';

/** The catalogue's version of a dataset, from the address of its figure. */
export function listedVersion(entry: Pick<CatalogueDataset, 'umap_url'> | undefined): string | undefined {
  const query = entry?.umap_url.split('?')[1];
  return query === undefined ? undefined : (new URLSearchParams(query).get('version') ?? undefined);
}

interface Timestamped<T> {
  /** Undefined while unknown. */
  value: T | undefined;
  /** Time of the server's response, in milliseconds since the epoch. */
  at: number;
}

/** Whether a server response after a dataset was opened shows another version of it. */
export function isReplacedSince(
  opened: Timestamped<Pick<DatasetAnalysis, 'version'>>,
  listed: Timestamped<string>,
): boolean {
  if (listed.value === undefined || opened.value === undefined || listed.at <= opened.at) return false;
  return listed.value !== opened.value.version;
}

/** Milliseconds for which the catalogue stays fresh when the window gets the focus. */
const freshOnFocus = 5000;

/** Refetches the catalogue when the window gets the focus, since datasets are replaced elsewhere. */
export function useCatalogueOnFocus(): void {
  const { api } = useServices();
  const client = useQueryClient();
  useEffect(() => {
    const ask = () => {
      const query = { ...datasetMetadataQuery(api), staleTime: freshOnFocus };
      client.fetchQuery(query).catch((error: unknown) => {
        console.warn('The catalog could not be read.', error);
      });
    };
    window.addEventListener('focus', ask);
    return () => window.removeEventListener('focus', ask);
  }, [api, client]);
}

/**
 * Asks the server whether a dataset still has the open version; true when it does not respond. For an upload, which is
 * in no catalogue, its calls report it.
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
      console.warn('The catalog could not be read.', error);
      return true;
    }
  };
}
