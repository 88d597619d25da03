import { useEffect, useState } from 'react';

const lockName = (path: string) => `cellfolio:upload:${path}`;

/**
 * Tells the other tabs of this browser that an upload goes on in this one, until the answer is called or the tab is
 * closed. Plain http has no locks; then no tab knows of another, and the server lets one write at a time.
 */
export function holdUpload(path: string): () => void {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Absent on plain http, whatever its type says.
  const locks = navigator.locks as LockManager | undefined;
  void locks?.request(lockName(path), { ifAvailable: true }, () => held);
  return release;
}

/** Whether a tab holds an upload. */
export async function isHeld(path: string): Promise<boolean> {
  const locks = navigator.locks as LockManager | undefined;
  const { held = [] } = (await locks?.query()) ?? {};
  return held.some(({ name }) => name === lockName(path));
}

/** Whether an upload that does not go on in this tab goes on in another; looks again when this tab is visited. */
export function useHeldElsewhere(path: string): boolean {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    let gone = false;
    const look = () => void isHeld(path).then((now) => gone || setHeld(now));
    look();
    addEventListener('focus', look);
    return () => {
      gone = true;
      removeEventListener('focus', look);
    };
  }, [path]);
  return held;
}
