import { TriangleAlert, X } from 'lucide-react';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import type { LackingCard } from './use-opened-address.ts';

interface LackingCardsProps {
  cards: readonly LackingCard[];
  close: () => void;
}

/** Says of each card of an opened address that is not shown as its author saw it why, until it is closed. */
export function LackingCards({ cards, close }: LackingCardsProps) {
  return (
    <Alert
      variant="warning"
      role="alert"
      aria-label="Cards missing from this view"
      className="max-h-32 shrink-0 overflow-y-auto"
    >
      <TriangleAlert aria-hidden />
      <ul className="min-w-0 flex-1 space-y-1">
        {cards.map(({ name, drawn, reason }) => (
          <li key={name} className="wrap-anywhere">
            <span className="font-medium">{name}</span>
            {drawn ? ' is shown without its colours or split. ' : ' is not drawn. '}
            {reason}
          </li>
        ))}
      </ul>
      <Button variant="ghost" size="icon-sm" className="-my-1 -mr-1" aria-label="Close" onClick={close}>
        <X aria-hidden />
      </Button>
    </Alert>
  );
}
