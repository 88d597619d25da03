import { useState } from 'react';
import { toast } from '@/components/ui/toast.ts';
import { useServices, useSession } from '@/lib/services.ts';
import { openInNewTab } from './open-in-new-tab.ts';

/** The service answered that it cannot, or did not answer. */
class PortalRefused extends Error {
  override readonly name = 'PortalRefused';

  constructor(cause: unknown) {
    super('The customer portal was refused.', { cause });
  }
}

/**
 * Where plans are paid, changed and cancelled, in a new tab. Every failure raises its notice. `open` belongs directly
 * in the handler of the click; no mutation of the query library, which would wait before it begins.
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
