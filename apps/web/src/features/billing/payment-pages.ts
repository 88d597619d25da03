import { useState } from 'react';
import { toast } from '@/components/ui/toast.ts';
import { usePublicServices, useServices, useSession } from '@/lib/services.ts';

class CheckoutRefused extends Error {
  override readonly name = 'CheckoutRefused';
  /** HTTP status; `null` without a response. */
  readonly status: number | null;

  constructor(cause: unknown) {
    super('The checkout was refused.', { cause });
    this.status = statusOf(cause);
  }
}

/**
 * Opens the payment page of the Standard plan in a new tab. Every failure shows a notice. Call `open` directly in the
 * click handler: browsers block a tab that opens later.
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

/** The client library keeps the response in the `context` of its error. */
function statusOf(error: unknown): number | null {
  const context = typeof error === 'object' && error !== null && 'context' in error ? error.context : null;
  return context instanceof Response ? context.status : null;
}

class PortalRefused extends Error {
  override readonly name = 'PortalRefused';

  constructor(cause: unknown) {
    super('The customer portal was refused.', { cause });
  }
}

/**
 * Opens the page for paying, changing and cancelling plans in a new tab. Every failure shows a notice. Call `open`
 * directly in the click handler; a mutation of the query library would wait before it begins.
 */
export function useCustomerPortal(): { open: () => void; opening: boolean } {
  const { functions } = useServices();
  const session = useSession();
  const [opening, setOpening] = useState(false);

  const address = async (): Promise<unknown> => {
    const { data, error } = await (await functions()).invoke<{ url?: unknown }>('customer-portal');
    if (error !== null) throw new PortalRefused(error);
    return data?.url;
  };
  const open = async () => {
    setOpening(true);
    try {
      await openInNewTab(address);
    } catch (cause) {
      if (cause instanceof PortalRefused) {
        toast.error('Error opening portal', { description: 'Unable to open customer portal.' });
      } else {
        toast.error('Error', { description: 'Something went wrong. Please try again.' });
      }
    } finally {
      setOpening(false);
    }
  };
  return {
    opening,
    open: () => {
      if (opening) return;
      if (session.status === 'signed-in') void open();
      else toast.error('Authentication required', { description: 'Please sign in to manage subscription.' });
    },
  };
}

class NoAddress extends Error {
  override readonly name = 'NoAddress';
  readonly value: unknown;

  constructor(rawAddress: unknown) {
    super('The payment service returned no web address.');
    this.value = rawAddress;
  }
}

/**
 * Opens an address that is still being requested in a new tab. The tab opens at once, within the click, because
 * browsers block one that opens later; it closes again when the request fails. If even that is blocked, the address
 * opens in this tab. Call it directly from the click handler. Rejects with the error of `ask`, or {@link NoAddress}.
 */
async function openInNewTab(ask: () => Promise<unknown>): Promise<void> {
  const tab = window.open('', '_blank');
  try {
    const address = webAddress(await ask());
    if (tab === null) {
      location.assign(address);
      return;
    }
    // The opened page must not have access to this one.
    tab.opener = null;
    tab.location.replace(address);
  } catch (error) {
    tab?.close();
    throw error;
  }
}

/** The blank tab has the rights of this site, so an address that is a script must not reach it. */
function webAddress(rawAddress: unknown): string {
  if (typeof rawAddress !== 'string' || !URL.canParse(rawAddress, location.origin))
    throw new NoAddress(rawAddress);
  const address = new URL(rawAddress, location.origin);
  if (address.protocol !== 'https:' && address.protocol !== 'http:') throw new NoAddress(rawAddress);
  return address.href;
}
