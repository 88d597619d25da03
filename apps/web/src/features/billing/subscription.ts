import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { toast } from '@/components/ui/toast.ts';
import { useServices, useSession } from '@/lib/services.ts';
import type { Services } from '@/lib/services.ts';

interface SubscriptionState extends Subscription {
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

export const subscriptionKey = ['subscription'] as const;

/**
 * The plan of the signed-in user. A page that opens more than a minute after the last check asks again, so that a
 * plan bought in another tab shows. A failure raises the notice of SPEC.md once, whoever waits for the answer.
 */
function subscriptionQuery(functions: Services['functions'], userId: string) {
  return queryOptions({
    queryKey: [...subscriptionKey, userId],
    queryFn: async ({ signal }): Promise<Subscription> => {
      try {
        const { data, error } = await (await functions()).invoke<unknown>('check-subscription', { signal });
        if (error !== null) throw error;
        return subscriptionOf(data);
      } catch (cause) {
        if (!signal.aborted) {
          toast.error('Error checking subscription', {
            id: 'check-subscription',
            description: 'Unable to verify subscription status.',
          });
        }
        throw cause;
      }
    },
    staleTime: 60_000,
  });
}

type Tier = 'Standard' | 'Professional';

/** What is known of somebody's plan; field names as the service writes them. */
export interface Subscription {
  subscribed: boolean;
  subscription_tier: Tier | null;
  /** When the plan ends or renews, as ISO 8601; `null` where the service names no date. */
  subscription_end: string | null;
}

const noSubscription: Subscription = {
  subscribed: false,
  subscription_tier: null,
  subscription_end: null,
};

/** The answer of check-subscription. What is not in the agreed form counts as not given; never throws. */
export function subscriptionOf(answer: unknown): Subscription {
  if (typeof answer !== 'object' || answer === null) return noSubscription;
  const given = answer as Partial<Record<keyof Subscription, unknown>>;
  const tier = given.subscription_tier;
  const end = given.subscription_end;
  return {
    subscribed: given.subscribed === true,
    subscription_tier: tier === 'Standard' || tier === 'Professional' ? tier : null,
    subscription_end: typeof end === 'string' && !Number.isNaN(Date.parse(end)) ? end : null,
  };
}

/** Whether a paid plan stands in for the trial. */
function hasPlan({ subscribed, subscription_tier }: Subscription): boolean {
  return subscribed && subscription_tier !== null;
}

/** Uploads, own files and AI image analysis are for these alone. */
export function isProfessional({ subscribed, subscription_tier }: Subscription): boolean {
  return subscribed && subscription_tier === 'Professional';
}

const day = 24 * 60 * 60 * 1000;

/** When the trial of an account ends, in milliseconds since the epoch; `null` where its age is not known. */
function trialEnd(createdAt: string | null, trialDays: number): number | null {
  const created = createdAt === null ? Number.NaN : Date.parse(createdAt);
  return Number.isNaN(created) ? null : created + trialDays * day;
}

// The longest that a timer takes, rounded down.
const longestWait = 24 * 60 * 60 * 1000;

/** Whether a moment is over, in milliseconds since the epoch; renders again when it comes. `null` never comes. */
function useHasPassed(moment: number | null): boolean {
  const [now, setNow] = useState(() => Date.now());
  const wait = moment === null ? null : moment - now;
  useEffect(() => {
    if (wait === null || wait <= 0) return;
    const timer = setTimeout(() => setNow(Date.now()), Math.min(wait, longestWait));
    return () => clearTimeout(timer);
  }, [wait]);
  return wait !== null && wait <= 0;
}
