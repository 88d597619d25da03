import type { AnnotationRevision } from '@cellfolio/contract';
import { explorerLink } from '@cellfolio/contract';
import { Copy } from 'lucide-react';
import { useId, useState } from 'react';
import { CopyButton, copyWithNotice } from '@/components/copy-button.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Checkbox } from '@/components/ui/checkbox.tsx';
import { Popover, PopoverContent, PopoverTrigger } from '@/components/ui/popover.tsx';
import { plural } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';

/** Timeout of the short link in milliseconds: browsers allow copying only shortly after a click. */
const timeout = 3000;

/** Parts of the view that the address has no room for. */
interface LeftOut {
  /** The selected cells. */
  cells: boolean;
  /** How many cards; always the last ones. */
  cards: number;
}

interface CopyLinkButtonProps {
  leftOut: LeftOut;
  /** The user's own columns that the view uses. */
  labels: readonly AnnotationRevision[];
  /** Address of the view. */
  address: () => string;
}

/** Copies a link to the view; one that uses own labels is first asked about. */
export function CopyLinkButton(props: CopyLinkButtonProps) {
  if (props.labels.length === 0) return <CopyLink {...props} shares={false} />;
  return (
    <Popover>
      <PopoverTrigger asChild>
        <Button variant="ghost" size="sm">
          <Copy aria-hidden />
          Copy link
        </Button>
      </PopoverTrigger>
      <PopoverContent align="end" aria-label="Copy link" className="w-80">
        <LabelsQuestion {...props} />
      </PopoverContent>
    </Popover>
  );
}

function LabelsQuestion(props: CopyLinkButtonProps) {
  const { labels } = props;
  const id = useId();
  const [shares, setShares] = useState(false);
  return (
    <div className="flex flex-col gap-3">
      <p>
        This view uses annotations that only you have. Others do not see cards that use them unless you share
        their labels:
      </p>
      <ul className="max-h-40 list-disc overflow-y-auto pl-5">
        {labels.map((label) => (
          <li key={label.id} className="wrap-anywhere">
            {label.name}
          </li>
        ))}
      </ul>
      <div className="flex items-start gap-2">
        <Checkbox
          id={id}
          checked={shares}
          onCheckedChange={(checked) => setShares(checked === true)}
          aria-describedby={`${id}-what`}
          className="-mt-0.5"
        />
        <div className="min-w-0">
          <label htmlFor={id} className="font-medium">
            Share these labels with the link
          </label>
          <p id={`${id}-what`} className="text-muted text-[13px]">
            Everyone who opens the link and has access to this dataset gets a copy of the current labels.
            Deleting your annotation removes them from the link.
          </p>
        </div>
      </div>
      <div>
        <CopyLink {...props} shares={shares} />
      </div>
    </div>
  );
}

interface CopyLinkProps extends CopyLinkButtonProps {
  shares: boolean;
}

function CopyLink(props: CopyLinkProps) {
  return (
    <CopyButton
      {...useLinkText(props)}
      label="Copy link"
      variant={props.labels.length > 0 ? 'secondary' : 'ghost'}
    />
  );
}

/** Copies a link to the view; own labels that it uses are not shared. */
export function useCopyLink(view: CopyLinkButtonProps): () => void {
  const link = useLinkText({ ...view, shares: false });
  return () => void copyWithNotice(link);
}

function useLinkText({ leftOut, labels, address: addressNow, shares }: CopyLinkProps) {
  const { api } = useServices();
  const text = async () => {
    const address = addressNow();
    const annotations = labels.map((label) => label.id);
    try {
      const signal = AbortSignal.timeout(timeout);
      const body = { address, ...(labels.length > 0 && { annotations, share_labels: shares }) };
      const { id } = await api({ path: '/api/links', body, answer: explorerLink, signal });
      return `${location.origin}/l/${id}`;
    } catch (error) {
      // The whole address has no room for labels.
      if (shares) throw error;
      console.warn('No short link could be made; the full address is copied.', error);
      return location.origin + address;
    }
  };
  return {
    text,
    otherwise: shares
      ? 'The link with your labels could not be made. Try again.'
      : 'Copy the address of this page from your browser.',
    caution: cautionOf(leftOut),
  };
}

/** Names what a link lacks, and how to share it; `undefined` where it has all. */
export function cautionOf({ cells, cards }: LeftOut): string | undefined {
  const parts = [
    ...(cells
      ? ['Too many cells are selected for a link. Save them as a subset, then copy the link again.']
      : []),
    ...(cards > 0
      ? [
          `The last ${cards === 1 ? 'card' : plural(cards, 'card')} did not fit into the link. Copy another link while only the last cards are shown.`,
        ]
      : []),
  ];
  return parts.length > 0 ? parts.join(' ') : undefined;
}
