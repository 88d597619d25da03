import { useSyncExternalStore } from 'react';
import { Outlet } from 'react-router';
import { Toaster } from '@/components/ui/toaster.tsx';
import { themeStore } from '@/lib/theme.ts';

/** Pages that raise notices; a notice outlives the step from one of them to the next. */
export function Component() {
  const theme = useSyncExternalStore(themeStore.subscribe, themeStore.get, () => 'system' as const);
  return (
    <>
      <Outlet />
      <Toaster theme={theme} />
    </>
  );
}
