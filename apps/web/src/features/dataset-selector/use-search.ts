import { useState } from 'react';
import { useSearchParams } from 'react-router';

/** What is searched for. It is in the address too, so that a search can be shared. */
export function useSearch() {
  const [params, setParams] = useSearchParams();
  // Kept beside the address, which follows a moment later than somebody types.
  const [search, setText] = useState(() => params.get('search') ?? '');
  const [narrowed, setNarrowed] = useState(false);
  return {
    search,
    setSearch(text: string) {
      setText(text);
      setNarrowed(false);
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          if (text.trim() === '') next.delete('search');
          else next.set('search', text.trim());
          return next;
        },
        { replace: true, preventScrollReset: true },
      );
    },
    /** One sub-disease of what is found is looked at, and not all of it. */
    narrowed,
    setNarrowed,
  };
}
