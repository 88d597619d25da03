import { useState } from 'react';
import { readStored, writeStored } from '@/lib/stored-value.ts';
import { useHydrated, useMediaQuery } from '@/lib/use-browser.ts';

export type Layout = 'columns' | 'steps';

const key = 'cellfolio:selector-layout';
const local = () => localStorage;

/** Three columns need this width to be read beside each other. */
const narrow = '(max-width: 1099.98px)';

/** The layout that the user chose on this device; by the width of the window while none was chosen. */
export function useLayout(): [Layout, (layout: Layout) => void] {
  const [chosen, setChosen] = useState<Layout | null>(() => {
    const stored = readStored(local, key);
    return stored === 'columns' || stored === 'steps' ? stored : null;
  });
  const byWidth: Layout = useMediaQuery(narrow) ? 'steps' : 'columns';
  const hydrated = useHydrated();
  return [
    hydrated && chosen !== null ? chosen : byWidth,
    (layout) => {
      writeStored(local, key, layout);
      setChosen(layout);
    },
  ];
}
