import { useRef } from 'react';

/**
 * For the content of a dialog: on closing, the focus goes back to where it was on opening, also where no trigger opened
 * it. Without this the primitive looks for its own trigger, and finding none drops the focus.
 */
export function useFocusReturn() {
  const opener = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      opener.current = document.activeElement;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (opener.current instanceof HTMLElement) opener.current.focus();
    },
  };
}
