import { jobAnswer, subclusteringLinks } from '@cellfolio/contract';
import type { SubclusteringLinks, SubclusteringRequest } from '@cellfolio/contract';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { allUserFilesKey, isActive, ownFilesKey } from '@/features/uploads/index.ts';
import type { ApiClient } from '@/lib/api-client.ts';
import { useServices, useUserId } from '@/lib/services.ts';

const pollMs = 1500;

function isUnderWay({
  jobs,
  subclusterings: maps,
}: Pick<SubclusteringLinks, 'jobs' | 'subclusterings'>): boolean {
  return jobs.some(isActive) || maps.some(({ state }) => state === 'preparing');
}

function subclusteringsQuery(api: ApiClient, userId: string, filename: string) {
  return queryOptions({
    queryKey: ['subclusterings', userId, filename],
    queryFn: ({ signal }) =>
      api({
        path: `/api/subclusterings/${encodeURIComponent(filename)}`,
        answer: subclusteringLinks,
        signal,
      }),
    refetchInterval: ({ state: { data } }) => (data && isUnderWay(data) ? pollMs : false),
  });
}

export function useSubclusterings(filename: string) {
  const { api } = useServices();
  const userId = useUserId();
  return useQuery({ ...subclusteringsQuery(api, userId, filename), enabled: userId !== '' });
}

export function useStartSubclustering(filename: string) {
  const { api } = useServices();
  const userId = useUserId();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: SubclusteringRequest) =>
      (await api({ path: '/api/subclusterings', body, answer: jobAnswer })).job,
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: subclusteringsQuery(api, userId, filename).queryKey });
      // The job is watched for its notice, and the file that it makes is one of the user's.
      void client.invalidateQueries({ queryKey: ownFilesKey(userId) });
      void client.invalidateQueries({ queryKey: allUserFilesKey(userId) });
    },
  });
}
