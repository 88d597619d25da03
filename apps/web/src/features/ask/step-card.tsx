import { Check, Settings2, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '@/components/ui/badge.tsx';
import { Button } from '@/components/ui/button.tsx';
import type { StepWords } from './step-words.ts';

interface StepCardProps {
  words: StepWords;
  purpose: string;
  /** State of the step, beside its title. */
  status: ReactNode;
  onEdit?: (() => void) | undefined;
  onRemove?: (() => void) | undefined;
  /** Below the parameters. */
  children?: ReactNode;
}

/** A step of a plan. */
export function StepCard({
  words: { title, chips },
  purpose,
  status,
  onEdit,
  onRemove,
  children,
}: StepCardProps) {
  return (
    <li className="bg-surface-2 flex flex-col gap-1 rounded-md px-2.5 py-2">
      <div className="flex items-center gap-1">
        <h4 className="min-w-0 flex-1 text-[13px] font-medium wrap-anywhere">{title}</h4>
        {status}
        {onEdit && (
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={`Edit the parameters of ${title}`}
            onClick={onEdit}
          >
            <Settings2 aria-hidden />
          </Button>
        )}
        {onRemove && (
          <Button variant="ghost" size="icon-sm" aria-label={`Remove ${title}`} onClick={onRemove}>
            <Trash2 aria-hidden />
          </Button>
        )}
      </div>
      <p className="text-muted text-xs wrap-anywhere">{purpose}</p>
      {chips.length > 0 && (
        <ul aria-label={`Parameters of ${title}`} className="flex flex-wrap gap-1">
          {chips.map(({ label, text }) => (
            <li key={label} className="min-w-0">
              <Badge className="max-w-full font-normal whitespace-normal">
                <span className="min-w-0 wrap-anywhere">
                  {label}: <span className="font-medium">{text}</span>
                </span>
              </Badge>
            </li>
          ))}
        </ul>
      )}
      {children}
    </li>
  );
}

export function DoneMark() {
  return (
    <span className="text-success flex items-center gap-1 text-xs">
      <Check aria-hidden className="size-3.5" />
      Done
    </span>
  );
}
