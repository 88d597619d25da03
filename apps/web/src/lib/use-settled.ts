import { useEffect, useState } from 'react';

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
