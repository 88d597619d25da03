import { queryOptions } from '@tanstack/react-query';
import { toast } from '@/components/ui/toast.ts';
import type { Services } from '@/lib/services.ts';
import type { Subscription } from './subscription.ts';
import { subscriptionOf } from './subscription.ts';

export const subscriptionKey = ['subscription'] as const;

/**
 * The plan of the signed-in user. A page that opens more than a minute after the last check asks again, so that a
 * plan bought in another tab shows. A failure raises the notice of SPEC.md once, whoever waits for the answer.
 */
export function subscriptionQuery(functions: Services['functions'], userId: string) {
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
