import { useEffect, useSyncExternalStore } from 'react';
import { Outlet } from 'react-router';
import { toast } from 'sonner';
import { Toaster } from '@/components/ui/toaster.tsx';
import { useServices } from '@/lib/services.ts';
import { themeStore } from '@/lib/theme.ts';

/** Pages that raise notices; a notice outlives the step from one of them to the next. */
export function Component() {
  const theme = useSyncExternalStore(themeStore.subscribe, themeStore.get);
  const { linkError } = useServices();
  useEffect(() => {
    if (linkError !== null) toast.error('Error', { id: 'link-error', description: linkError });
  }, [linkError]);
  return (
    <>
      <Outlet />
      <Toaster theme={theme} />
    </>
  );
}
