import { useCallback, useState } from 'react';
import { useBeforeUnload, useBlocker } from 'react-router';

export interface LeaveGuard {
  /** Whether the user is to be asked now. */
  asking: boolean;
  stay: () => void;
  leave: () => void;
  /** Does what would end the page, such as signing out; asks first while there is something to lose. */
  beforeLeaving: (leave: () => void) => void;
}

interface LeaveGuarded {
  /** Ask before a step to another path. */
  navigating: boolean;
  /** Ask before the tab is closed or loaded anew. */
  closing: boolean;
}

/**
 * Holds back a step to another path while there is something to lose. A session that ends takes the page away with
 * this guard, and so is not held back. Closing or reloading the tab is asked about by the browser, in its own words.
 */
export function useLeaveGuard({ navigating, closing }: LeaveGuarded): LeaveGuard {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => navigating && currentLocation.pathname !== nextLocation.pathname,
  );
  const [held, setHeld] = useState<{ leave: () => void } | null>(null);
  useBeforeUnload(
    useCallback(
      (event: BeforeUnloadEvent) => {
        if (closing) event.preventDefault();
      },
      [closing],
    ),
  );
  return {
    asking: held !== null || blocker.state === 'blocked',
    stay: () => {
      setHeld(null);
      blocker.reset?.();
    },
    leave: () => {
      setHeld(null);
      if (held === null) blocker.proceed?.();
      else held.leave();
    },
    beforeLeaving: (leave) => {
      if (navigating) setHeld({ leave });
      else leave();
    },
  };
}
