import {
  type CellxgeneCheck,
  cellxgeneCheck,
  cellxgeneChoices,
  type CellxgeneChoices,
  jobAnswer,
} from '@cellfolio/contract';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { allUserFilesKey, ownFilesKey } from '@/features/uploads/index.ts';
import { useServices, useUserId } from '@/lib/services.ts';

/** Choices of a curator, which stay in the tab until it is closed. */
export function readChoices(stored: unknown): CellxgeneChoices | undefined {
  return cellxgeneChoices.safeParse(stored).data;
}

/** `opened` identifies the dataset and its version. */
export function useCellxgeneCheck(opened: string, choices: CellxgeneChoices) {
  const { api } = useServices();
  return useQuery({
    queryKey: ['cellxgene-check', opened, choices],
    // Annotations change between two looks at it.
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }): Promise<CellxgeneCheck> =>
      api({ path: '/api/cellxgene-check', body: choices, answer: cellxgeneCheck, signal }),
  });
}

export function useMakeCellxgeneFile() {
  const { api } = useServices();
  const userId = useUserId();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: CellxgeneChoices & { name: string }) =>
      (await api({ path: '/api/cellxgene-files', body, answer: jobAnswer })).job,
    // The job is watched for its notice, and the file that it makes is one of the user's.
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ownFilesKey(userId) });
      void client.invalidateQueries({ queryKey: allUserFilesKey(userId) });
    },
  });
}
