import { Check, X } from 'lucide-react';
import { shortName } from '@/lib/format.ts';

/** Which of the genes asked for the dataset has. */
export interface FoundGenes {
  found: readonly string[];
  notFound: readonly string[];
}

/** Which genes of the last run were found (green) and which were not (red); said by word and sign, not colour alone. */
export function RunResult({ found, notFound }: FoundGenes) {
  return (
    <div role="status" className="flex flex-col gap-1 text-[13px]">
      {found.length > 0 && (
        <p className="text-success flex gap-1.5">
          <Check aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 wrap-anywhere">Found: {found.map(shortName).join(', ')}</span>
        </p>
      )}
      {notFound.length > 0 && (
        <p className="text-danger flex gap-1.5">
          <X aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 wrap-anywhere">Not found: {notFound.map(shortName).join(', ')}</span>
        </p>
      )}
    </div>
  );
}
