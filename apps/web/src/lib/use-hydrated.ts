import { useSyncExternalStore } from 'react';

const never = () => () => {};

/**
 * `false` in the first render of a page that was rendered when the site was built: what only this browser knows (its
 * storage, its history) would differ from what stands there. From then on `true`.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
