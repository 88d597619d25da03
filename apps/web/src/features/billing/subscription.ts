import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { toast } from '@/components/ui/toast.ts';
import { useServices, useSession } from '@/lib/services.ts';
import type { Services } from '@/lib/services.ts';

interface SubscriptionState extends Subscription {
  /**
   * The trial has ended and there is no plan. False while unknown: the server checks every call anyway, and a failed
   * check must not redirect a user with a plan.
   */
  trialExpired: boolean;
  /** When the trial ends or ended, as ISO 8601; `null` while unknown. */
  trialEnd: string | null;
  /** No response yet, or the session is unknown. */
  loading: boolean;
  /** The last check failed; a notice was shown. */
  failed: boolean;
}

/** The plan of the signed-in user: checked on load and on sign-in, cleared on sign-out. */
export function useSubscription(): SubscriptionState {
  const { config, functions } = useServices();
  const session = useSession();
  const queryClient = useQueryClient();
  const user = session.status === 'signed-in' ? session.user : null;
  const query = useQuery({ ...subscriptionQuery(functions, user?.id ?? ''), enabled: user !== null });
  const end = trialEnd(user?.createdAt ?? null, config.trialDays);
  const trialOver = useHasPassed(end);

  const signedOut = session.status === 'signed-out';
  useEffect(() => {
    if (signedOut) queryClient.removeQueries({ queryKey: subscriptionKey });
  }, [signedOut, queryClient]);

  if (user === null) {
    return { ...noSubscription, trialExpired: false, trialEnd: null, loading: !signedOut, failed: false };
  }
  const subscription = query.data ?? noSubscription;
  return {
    ...subscription,
    trialExpired: query.data !== undefined && trialOver && !hasPlan(subscription),
    trialEnd: end === null ? null : new Date(end).toISOString(),
    loading: query.isPending,
    failed: query.isError,
  };
}

export const subscriptionKey = ['subscription'] as const;

/**
 * The plan of the signed-in user. A page that opens more than a minute after the last check queries again, so that a
 * plan bought in another tab appears. A failure shows the notice of SPEC.md once, however many callers wait.
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

/** A user's plan; field names as in the service. */
export interface Subscription {
  subscribed: boolean;
  subscription_tier: Tier | null;
  /** When the plan ends or renews, as ISO 8601; `null` when the service gives no date. */
  subscription_end: string | null;
}

const noSubscription: Subscription = {
  subscribed: false,
  subscription_tier: null,
  subscription_end: null,
};

/** Reads the response of check-subscription. Invalid fields count as absent; never throws. */
export function subscriptionOf(answer: unknown): Subscription {
  if (typeof answer !== 'object' || answer === null) return noSubscription;
  const fields = answer as Partial<Record<keyof Subscription, unknown>>;
  const tier = fields.subscription_tier;
  const end = fields.subscription_end;
  return {
    subscribed: fields.subscribed === true,
    subscription_tier: tier === 'Standard' || tier === 'Professional' ? tier : null,
    subscription_end: typeof end === 'string' && !Number.isNaN(Date.parse(end)) ? end : null,
  };
}

function hasPlan({ subscribed, subscription_tier }: Subscription): boolean {
  return subscribed && subscription_tier !== null;
}

/** Required for uploads, own files and AI image analysis. */
export function isProfessional({ subscribed, subscription_tier }: Subscription): boolean {
  return subscribed && subscription_tier === 'Professional';
}

const day = 24 * 60 * 60 * 1000;

/** End of an account's trial, in milliseconds since the epoch; `null` if the account's age is unknown. */
function trialEnd(createdAt: string | null, trialDays: number): number | null {
  const created = createdAt === null ? Number.NaN : Date.parse(createdAt);
  return Number.isNaN(created) ? null : created + trialDays * day;
}

// Maximum delay of a timer, rounded down.
const longestWait = 24 * 60 * 60 * 1000;

/** Whether a time (ms since the epoch) has passed; rerenders when it does. `null` never passes. */
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
