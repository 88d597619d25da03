import { useEffect, useState } from 'react';

/** The time, renewed every `interval` milliseconds while the component is shown. */
export function useNow(interval: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), interval);
    return () => clearInterval(timer);
  }, [interval]);
  return now;
}

/** Nobody types on in less time than this. */
const settledMilliseconds = 250;

/** What a text was when it last rested. */
export function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settledMilliseconds);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
