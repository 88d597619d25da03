import type { GeneList, GeneListChange, NewGeneList } from '@cellfolio/contract';
import { geneList, geneListList } from '@cellfolio/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '@/components/ui/toast.ts';
import type { ApiClient } from '@/lib/api-client.ts';
import { ApiRefusal } from '@/lib/api-errors.ts';
import { useServices } from '@/lib/services.ts';

const listKey = ['gene-lists'];

export function geneListsQuery(api: ApiClient) {
  return queryOptions({
    queryKey: listKey,
    queryFn: ({ signal }) => api({ path: '/api/gene-lists', answer: geneListList, signal }),
    select: ({ lists }) => lists,
  });
}

/**
 * Actions on gene lists; the lists are reloaded afterwards. In a sequence of actions, those with `followed` leave the
 * reload to the last one.
 */
type GeneListAction = { followed?: boolean } & (
  | ({ do: 'create' } & NewGeneList)
  | { do: 'change'; of: GeneList; change: Omit<GeneListChange, 'revision'> }
  | { do: 'delete'; of: GeneList }
);

/** Resolves to the updated list; undefined for a deleted one. */
export function useGeneListAction() {
  const { api } = useServices();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (action: GeneListAction) => run(api, action),
    onSettled: async (_, error, { followed = false }) => {
      if (followed && error === null) return;
      await client.invalidateQueries({ queryKey: listKey });
    },
  });
}

async function run(api: ApiClient, action: GeneListAction): Promise<GeneList | undefined> {
  if (action.do === 'create') {
    const { name, genes } = action;
    return api({ path: '/api/gene-lists', body: { name, genes }, answer: geneList });
  }
  const { id, revision } = action.of;
  const path = `/api/gene-lists/${id}`;
  if (action.do === 'change') {
    return api({ method: 'PATCH', path, body: { revision, ...action.change }, answer: geneList });
  }
  await api({ method: 'DELETE', path, answer: geneListList });
  return undefined;
}

export function failureText(error: Error): string {
  return error instanceof ApiRefusal ? error.body : error.message;
}

export function toastFailure(title: string): (error: Error) => void {
  return (error) => toast.error(title, { description: failureText(error) });
}
