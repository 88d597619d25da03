import { useState } from 'react';
import { toast } from '@/components/ui/toast.ts';
import { openInNewTab } from './open-in-new-tab.ts';
import { usePublicServices } from '@/lib/services.ts';

/** The service answered that it cannot, or did not answer. */
class CheckoutRefused extends Error {
  override readonly name = 'CheckoutRefused';
  /** As HTTP has it; `null` where there was no answer. */
  readonly status: number | null;

  constructor(cause: unknown) {
    super('The checkout was refused.', { cause });
    this.status = statusOf(cause);
  }
}

/**
 * Where the Standard plan is paid, in a new tab. Every failure raises its notice. `open` belongs directly in the
 * handler of the click: browsers block a tab that opens later.
 */
export function useCheckout(): { open: () => void; opening: boolean } {
  const { load } = usePublicServices();
  const [opening, setOpening] = useState(false);

  const address = async (): Promise<unknown> => {
    const functions = await (await load()).functions();
    const { data, error } = await functions.invoke<{ url?: unknown }>('create-checkout', {
      body: { plan: 'standard' },
    });
    if (error !== null) throw new CheckoutRefused(error);
    return data?.url;
  };
  const open = async () => {
    setOpening(true);
    try {
      await openInNewTab(address);
    } catch (error) {
      if (error instanceof CheckoutRefused && error.status === 401) {
        toast.error('Authentication required', { description: 'Please sign in to subscribe.' });
      } else if (error instanceof CheckoutRefused) {
        toast.error('Error creating checkout', { description: 'Unable to create checkout session.' });
      } else {
        toast.error('Error', { description: 'Something went wrong. Please try again.' });
      }
    } finally {
      setOpening(false);
    }
  };
  return { opening, open: () => void (opening || open()) };
}

/** The client library keeps the answer in the `context` of its error. */
function statusOf(error: unknown): number | null {
  const context = typeof error === 'object' && error !== null && 'context' in error ? error.context : null;
  return context instanceof Response ? context.status : null;
}
