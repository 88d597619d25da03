import { jobsAnswer, linkPreview } from '@cellfolio/contract';
import type { DownloadRequest, LinkPreview } from '@cellfolio/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useServices } from '@/lib/services.ts';
import { ownFilesKey } from '../user-files.ts';

export function useLookAtLink() {
  const { api } = useServices();
  return useMutation({
    mutationFn: (link: string): Promise<LinkPreview> =>
      api({ path: '/api/linked-data', body: { link }, answer: linkPreview }),
  });
}

export type ChosenData = Omit<DownloadRequest, 'link'>;

export function useStartDownloads(userId: string) {
  const { api } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: DownloadRequest) =>
      (await api({ path: '/api/downloads', body, answer: jobsAnswer })).jobs,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ownFilesKey(userId) }),
  });
}
