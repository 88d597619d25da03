import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { tableFailure } from '@/lib/refusal-reason.ts';
import { useServices } from '@/lib/services.ts';

/** A personal key as the account page lists it; the key itself is known to nobody. */
export interface ApiKey {
  id: string;
  name: string;
  /** Its first characters. */
  prefix: string;
  created_at: string;
  last_used_at: string | null;
}

/** A key at its making, the only time that it is told. */
export interface NewApiKey {
  id: string;
  name: string;
  key: string;
}

const apiKeysKey = (userId: string) => ['api-keys', userId] as const;

/** Newest first. Fails with the server's message. */
export function useApiKeys(userId: string) {
  const { tables } = useServices();
  return useQuery({
    queryKey: apiKeysKey(userId),
    queryFn: async ({ signal }): Promise<ApiKey[]> => {
      const { data, error } = await (await tables()).rpc('list_api_keys').abortSignal(signal);
      if (error !== null) throw new Error(tableFailure(error), { cause: error });
      return data as ApiKey[];
    },
  });
}

export function useCreateApiKey(userId: string) {
  const { tables } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (name: string): Promise<NewApiKey> => {
      const { data, error } = await (await tables()).rpc('create_api_key', { key_name: name }).single();
      if (error !== null) throw new Error(tableFailure(error), { cause: error });
      return data as NewApiKey;
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: apiKeysKey(userId) }),
  });
}

export function useRevokeApiKey(userId: string) {
  const { tables } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (id: string): Promise<void> => {
      const { error } = await (await tables()).rpc('revoke_api_key', { key_id: id });
      if (error !== null) throw new Error(tableFailure(error), { cause: error });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: apiKeysKey(userId) }),
  });
}
