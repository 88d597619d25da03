import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { authAnswer } from '@/features/auth/index.ts';
import { useServices } from '@/lib/services.ts';

const factorsKey = (userId: string) => ['factors', userId] as const;

/** The ways of the second step that the user has finished setting up. */
export function useFactors(userId: string) {
  const { auth } = useServices();
  return useQuery({
    queryKey: factorsKey(userId),
    queryFn: async () => {
      const { all } = await authAnswer(() => auth.mfa.listFactors());
      return all.filter(({ status }) => status === 'verified');
    },
  });
}

/** Begins to set up an authenticator app; its first code finishes it. */
export function useEnrol() {
  const { auth } = useServices();
  return useMutation({
    mutationFn: async (friendlyName: string) => {
      // A setup that was left half way (a closed tab) would hold on to the name for a few minutes.
      const { all } = await authAnswer(() => auth.mfa.listFactors());
      for (const { id, status, friendly_name } of all) {
        if (status === 'unverified' && friendly_name === friendlyName) {
          await authAnswer(() => auth.mfa.unenroll({ factorId: id }));
        }
      }
      return authAnswer(() => auth.mfa.enroll({ factorType: 'totp', friendlyName }));
    },
  });
}

/** Takes the first code of an app that is being set up. */
export function useFinishEnrolment(userId: string) {
  const { auth } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ factorId, code }: { factorId: string; code: string }) =>
      authAnswer(() => auth.mfa.challengeAndVerify({ factorId, code })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: factorsKey(userId) }),
  });
}

/** Removes a way of the second step, or the beginnings of one. */
export function useRemoveFactor(userId: string) {
  const { auth } = useServices();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (factorId: string) => {
      await authAnswer(() => auth.mfa.unenroll({ factorId }));
      // The session still tells of the factor that is gone, and would ask for it.
      await authAnswer(() => auth.refreshSession());
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: factorsKey(userId) }),
  });
}
