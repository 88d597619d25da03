import {
  type QueryClient,
  type QueryKey,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { z } from 'zod';
import { toast } from '@/components/ui/toast.ts';
import type { ApiClient } from '@/lib/api-client.ts';
import { reasonOf } from '@/lib/api-errors.ts';
import { type Services, useServices, useUserId } from '@/lib/services.ts';

/** Documents of a user on the server, such as gene lists or the annotations of a dataset. */
export interface DocumentKind<List, One> {
  /** Key of the query of the list. */
  key: readonly string[];
  /** Path of the list. */
  all: string;
  /** Path of a document without its id. */
  one: string;
  list: z.ZodType<List>;
  /** Answer of creating and changing a document. */
  saved: z.ZodType<One>;
  /** Answer of a deletion. */
  left: z.ZodType;
  /** Toasts of failures; default: none, where the page shows `error`. */
  failures?: { create?: string; change?: string; remove?: string };
  staleTime?: number;
  /** Refetches what else depends on the documents. */
  onChanged?: (client: QueryClient) => Promise<void>;
}

export interface DocumentCall<Answer> extends Pick<Parameters<ApiClient>[0], 'path' | 'method' | 'body'> {
  answer: z.ZodType<Answer>;
  /** Toast of a failure. */
  failure?: string | undefined;
}

interface Run {
  followed: boolean;
  /** Key of the list when the call began: another user may have signed in since. */
  queryKey: QueryKey;
}

interface After<Answer> {
  /** Not called once the component is gone. */
  done?: (answer: Answer) => void;
  /** Leaves the reload to the last call of a sequence. */
  followed?: boolean;
}

export function documentsQuery<List, One>(
  { api, session }: Pick<Services, 'api' | 'session'>,
  { key, all: path, list: answer, staleTime = 0 }: DocumentKind<List, One>,
) {
  const state = session.get();
  return queryOptions({
    // Another user who signs in has other documents.
    queryKey: [...key, state.status === 'signed-in' ? state.user.id : ''],
    queryFn: ({ signal }) => api({ path, answer, signal }),
    staleTime,
  });
}

/** The list of a kind and calls that change it. A call reloads the list, also when it fails, and rejects when that is shown. */
export function useDocuments<List, One>(kind: DocumentKind<List, One>, { enabled = true } = {}) {
  const services = useServices();
  const client = useQueryClient();
  useUserId();
  const query = documentsQuery(services, kind);
  const list = useQuery({ ...query, enabled });
  const { mutateAsync, isPending, error } = useMutation({
    mutationFn: ({ path, body, answer, method }: DocumentCall<unknown> & Run) =>
      services.api({ path, body, answer, ...(method && { method }) }),
    onSuccess: (_, { failure }) => {
      if (failure !== undefined) toast.dismiss(failure);
    },
    onError: (cause, { failure }) => {
      if (failure !== undefined) toast.error(failure, { id: failure, description: reasonOf(cause) });
    },
    onSettled: async (answer, cause, { followed, queryKey, answer: schema }) => {
      if (followed && cause === null) return;
      if (cause === null && schema === kind.list) client.setQueryData(queryKey, answer as List);
      else await client.invalidateQueries({ queryKey });
      await kind.onChanged?.(client);
    },
  });
  const run = <Answer>(
    call: DocumentCall<Answer>,
    { done, followed = false }: After<Answer> = {},
  ): Promise<Answer> => {
    const { queryKey } = query;
    const answer = mutateAsync(
      { ...call, followed, queryKey },
      { onSuccess: (value) => done?.(value as Answer) },
    );
    answer.catch(() => {});
    return answer as Promise<Answer>;
  };
  const { all, one, saved: answer, left, failures = {} } = kind;
  return {
    list,
    isPending,
    error,
    run,
    create: (body: object, after?: After<One>) =>
      run({ path: all, body, answer, failure: failures.create }, after),
    change: (id: string, body: object, after?: After<One>) =>
      run({ method: 'PATCH', path: `${one}/${id}`, body, answer, failure: failures.change }, after),
    remove: (id: string) =>
      run({ method: 'DELETE', path: `${one}/${id}`, answer: left, failure: failures.remove }),
    /** Shows a change of the list before the server has answered. */
    edit: (change: (list: List) => List) =>
      client.setQueryData<List>(query.queryKey, (now) => now && change(now)),
  };
}

export type Documents<List, One> = ReturnType<typeof useDocuments<List, One>>;
