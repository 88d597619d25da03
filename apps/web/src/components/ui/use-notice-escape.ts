import { useEffect } from 'react';
import { toast } from 'sonner';

/** Escape takes the notices away, unless something open (a dialog, a list, a search) was left by it. */
export function useNoticeEscape(anyShown: boolean): void {
  useEffect(() => {
    if (!anyShown) return undefined;
    // On the window: dialogs and menus answer on the document, and prevent what else the key would do.
    const leave = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
      const { target } = event;
      if (target instanceof Element && target.closest('[aria-expanded="true"]') !== null) return;
      toast.dismiss();
    };
    window.addEventListener('keydown', leave);
    return () => window.removeEventListener('keydown', leave);
  }, [anyShown]);
}
