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

/**
 * Holds back a step to another path while there is something to lose. A session that ends takes the page away with
 * this guard, and so is not held back. Closing or reloading the tab is asked about by the browser, in its own words.
 */
export function useLeaveGuard(guarded: boolean): LeaveGuard {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => guarded && currentLocation.pathname !== nextLocation.pathname,
  );
  const [held, setHeld] = useState<{ leave: () => void } | null>(null);
  useBeforeUnload(
    useCallback(
      (event: BeforeUnloadEvent) => {
        if (guarded) event.preventDefault();
      },
      [guarded],
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
      if (guarded) setHeld({ leave });
      else leave();
    },
  };
}
