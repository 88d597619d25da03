import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useServices, useSession } from '@/lib/services.ts';
import { hasPlan, noSubscription, trialEnd } from './subscription.ts';
import type { Subscription } from './subscription.ts';
import { subscriptionKey, subscriptionQuery } from './subscription-query.ts';
import { useHasPassed } from './use-has-passed.ts';

export interface SubscriptionState extends Subscription {
  /**
   * The trial is over and no plan stands in for it. Never true while that is not known: the server decides for every
   * call anyway, and nobody with a plan is sent away because one check failed.
   */
  trialExpired: boolean;
  /** No answer yet; also while it is not known who is signed in. */
  loading: boolean;
  /** The last check failed, which a notice has said. */
  failed: boolean;
}

/** The plan of whoever is signed in: checked on load and on sign-in, forgotten on sign-out. */
export function useSubscription(): SubscriptionState {
  const { config, functions } = useServices();
  const session = useSession();
  const queryClient = useQueryClient();
  const user = session.status === 'signed-in' ? session.user : null;
  const query = useQuery({ ...subscriptionQuery(functions, user?.id ?? ''), enabled: user !== null });
  const trialOver = useHasPassed(trialEnd(user?.createdAt ?? null, config.trialDays));

  const signedOut = session.status === 'signed-out';
  useEffect(() => {
    if (signedOut) queryClient.removeQueries({ queryKey: subscriptionKey });
  }, [signedOut, queryClient]);

  if (user === null) {
    return { ...noSubscription, trialExpired: false, loading: !signedOut, failed: false };
  }
  const subscription = query.data ?? noSubscription;
  return {
    ...subscription,
    trialExpired: query.data !== undefined && trialOver && !hasPlan(subscription),
    loading: query.isPending,
    failed: query.isError,
  };
}
