import { useCallback, useState } from 'react';
import { useBeforeUnload, useBlocker, useNavigation } from 'react-router';

export interface LeaveGuard {
  /** Whether the user is to be asked now. */
  asking: boolean;
  /** Whether a step elsewhere is asked about or being taken: another step, as of the address, would end it. */
  leaving: boolean;
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
  const { state: step } = useNavigation();
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
    leaving: held !== null || blocker.state !== 'unblocked' || step !== 'idle',
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
