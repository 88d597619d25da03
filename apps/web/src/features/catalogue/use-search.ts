import { useEffect, useState } from 'react';
import { useLocation, useNavigationType, useSearchParams } from 'react-router';

/** What is searched for. It is in the address too, so that a search can be shared. */
export function useSearch() {
  const [params, setParams] = useSearchParams();
  // Kept beside the address, which follows a moment later than somebody types.
  const [search, setText] = useState(() => params.get('search') ?? '');
  const [narrowed, setNarrowed] = useState(false);
  const back = useNavigationType() === 'POP';
  const { key } = useLocation();
  const asked = params.get('search') ?? '';
  useEffect(() => {
    if (back) setText(asked);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- with each step back or forward, not while somebody types
  }, [key]);
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
