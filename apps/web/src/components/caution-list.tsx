import type { Caution } from '@cellfolio/contract';
import { TriangleAlert } from 'lucide-react';
import { Alert } from '@/components/ui/alert.tsx';

export function CautionList({ cautions }: { cautions: readonly Caution[] }) {
  if (cautions.length === 0) return null;
  return (
    <Alert variant="warning">
      <TriangleAlert aria-hidden />
      <ul aria-label="Cautions" className="flex min-w-0 flex-col gap-1.5 wrap-anywhere">
        {cautions.map(({ code, message }) => (
          <li key={`${code} ${message}`}>{message}</li>
        ))}
      </ul>
    </Alert>
  );
}
