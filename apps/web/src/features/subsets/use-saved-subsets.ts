import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { toast } from '@/components/ui/toast.ts';
import { useServices, useSession } from '@/lib/services.ts';
import type { SubsetDraft } from './filter-config.ts';
import type { SavedSubset } from './saved-subset.ts';
import type { SubsetOwner } from './subset-table.ts';
import { createSubset, deleteSubset, listSubsets, loadSubset, updateSubset } from './subset-table.ts';

/** The saved subsets of the signed-in user on one dataset, and what can be done with them. */
export function useSavedSubsets(datasetName: string, diseaseName: string) {
  const { tables } = useServices();
  const session = useSession();
  const client = useQueryClient();
  const userId = session.status === 'signed-in' ? session.user.id : '';
  const owner: SubsetOwner = { userId, datasetName, diseaseName };
  const options = queryOptions({
    queryKey: ['subsets', userId, datasetName, diseaseName],
    queryFn: ({ signal }) => listSubsets(tables, owner, signal),
    enabled: userId !== '',
  });
  const list = useQuery(options);
  const failed = list.isError;
  useEffect(() => {
    if (failed) toast.error('Error', { id: 'subsets', description: 'Failed to load saved subsets.' });
  }, [failed]);

  const change = (edit: (subsets: readonly SavedSubset[]) => SavedSubset[]) =>
    client.setQueryData(options.queryKey, (subsets) => edit(subsets ?? []));
  const replace = (subset: SavedSubset) =>
    change((subsets) => subsets.map((other) => (other.id === subset.id ? subset : other)));
  const load = useMutation({
    mutationFn: (id: string) => loadSubset(tables, owner, id),
    onSuccess: replace,
  });
  const create = useMutation({
    mutationFn: (draft: SubsetDraft) => createSubset(tables, owner, draft),
    onSuccess: (subset) => change((subsets) => [subset, ...subsets]),
  });
  const update = useMutation({
    mutationFn: ({ id, draft }: { id: string; draft: SubsetDraft }) => updateSubset(tables, owner, id, draft),
    onSuccess: replace,
  });
  const remove = useMutation({
    mutationFn: (id: string) => deleteSubset(tables, owner, id),
    onSuccess: (_, id) => change((subsets) => subsets.filter((other) => other.id !== id)),
  });
  return { list, load, create, update, remove };
}

export type SavedSubsets = ReturnType<typeof useSavedSubsets>;
