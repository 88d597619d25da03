import { explorerLink } from '@cellfolio/contract';
import { useLocation } from 'react-router';
import { CopyButton } from '@/components/copy-button.tsx';
import { useServices } from '@/lib/services.ts';

/** Timeout of the short link in milliseconds: browsers allow copying only shortly after a click. */
const timeout = 3000;

interface CopyLinkButtonProps {
  /** The address has no room for the selected cells. */
  lacksCells: boolean;
}

export function CopyLinkButton({ lacksCells }: CopyLinkButtonProps) {
  const { api } = useServices();
  const { pathname, search } = useLocation();
  const link = async () => {
    const address = pathname + search;
    try {
      const signal = AbortSignal.timeout(timeout);
      const { id } = await api({ path: '/api/links', body: { address }, answer: explorerLink, signal });
      return `${location.origin}/l/${id}`;
    } catch (error) {
      console.warn('No short link was made; the whole address is copied.', error);
      return location.origin + address;
    }
  };
  return (
    <CopyButton
      text={link}
      label="Copy link"
      variant="ghost"
      otherwise="Copy the address of this page from your browser."
      caution={
        lacksCells
          ? 'The selected cells are too many for an address and not in the link. Save them as a subset, then copy it again.'
          : undefined
      }
    />
  );
}
