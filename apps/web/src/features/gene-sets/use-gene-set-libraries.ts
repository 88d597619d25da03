import { useQuery } from '@tanstack/react-query';
import { useServices } from '@/lib/services.ts';
import { listGeneSetLibraries } from './run-calls.ts';

export const geneSetLibrariesKey = ['gene-set-libraries'] as const;

/** The gene set libraries of the server; asked for once in an hour, as an operator may add one. */
export function useGeneSetLibraries() {
  const { api } = useServices();
  return useQuery({
    queryKey: geneSetLibrariesKey,
    queryFn: ({ signal }) => listGeneSetLibraries(api, signal),
    staleTime: 3_600_000,
  });
}
