import { useEffect, useState } from 'react';

export function useNow(interval: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), interval);
    return () => clearInterval(timer);
  }, [interval]);
  return now;
}

/** Debounce time: longer than a pause in typing. */
const settledMilliseconds = 250;

export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settledMilliseconds);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
