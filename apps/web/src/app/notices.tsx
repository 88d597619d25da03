import type { ReactNode } from 'react';
import { useSyncExternalStore } from 'react';
import { Toaster } from '@/components/ui/toaster.tsx';
import { themeStore } from '@/lib/theme.ts';

/** A page with its notices; `inHeader` where its header has room for them. */
export function Notices({ inHeader, children }: { inHeader?: boolean; children: ReactNode }) {
  const theme = useSyncExternalStore(themeStore.subscribe, themeStore.get, () => 'system' as const);
  return (
    <>
      {children}
      <Toaster theme={theme} inHeader={inHeader} />
    </>
  );
}
