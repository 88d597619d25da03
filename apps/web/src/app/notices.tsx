import type { ReactNode } from 'react';
import { useSyncExternalStore } from 'react';
import { Toaster } from '@/components/ui/toaster.tsx';
import { themeStore } from '@/lib/theme.ts';

export function Notices({ children }: { children: ReactNode }) {
  const theme = useSyncExternalStore(themeStore.subscribe, themeStore.get, () => 'system' as const);
  return (
    <>
      {children}
      <Toaster theme={theme} />
    </>
  );
}
