import type { UserIdentity } from '@supabase/auth-js';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { authAnswer, callbackPage } from '@/features/auth/index.ts';
import { useServices } from '@/lib/services.ts';

const identitiesKey = (userId: string) => ['identities', userId] as const;

/** The ways in that belong to the account. */
export function useIdentities(userId: string) {
  const { auth } = useServices();
  return useQuery({
    queryKey: identitiesKey(userId),
    queryFn: async () => (await authAnswer(() => auth.getUserIdentities())).identities,
  });
}

/** Leaves for a provider, to come back with its account joined to this one. */
export function useLinkIdentity() {
  const { auth, providerAuth } = useServices();
  return useMutation({
    mutationFn: async (name: string) => {
      const { session } = await authAnswer(() => auth.getSession());
      if (session === null) throw new Error('The session has ended. Sign in again.');
      const away = providerAuth();
      await authAnswer(() => away.setSession(session));
      await authAnswer(() =>
        // The names are the operator's; the client knows those of a hosted project only.
        away.linkIdentity({ provider: name as 'github', options: { redirectTo: callbackPage('/account') } }),
      );
    },
  });
}

export function useUnlinkIdentity(userId: string) {
  const { auth } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (identity: UserIdentity) => authAnswer(() => auth.unlinkIdentity(identity)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: identitiesKey(userId) }),
  });
}
