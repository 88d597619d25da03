import { useEffect, useState } from 'react';

// The longest that a timer takes, rounded down.
const longestWait = 24 * 60 * 60 * 1000;

/** Whether a moment is over, in milliseconds since the epoch; renders again when it comes. `null` never comes. */
export function useHasPassed(moment: number | null): boolean {
  const [now, setNow] = useState(() => Date.now());
  const wait = moment === null ? null : moment - now;
  useEffect(() => {
    if (wait === null || wait <= 0) return;
    const timer = setTimeout(() => setNow(Date.now()), Math.min(wait, longestWait));
    return () => clearTimeout(timer);
  }, [wait]);
  return wait !== null && wait <= 0;
}
