import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Alert } from '@/components/ui/alert.tsx';

/** What went wrong, in place. */
export function Failure({ children }: { children: ReactNode }) {
  return (
    <Alert variant="danger" role="alert">
      <CircleAlert aria-hidden />
      <div className="min-w-0 wrap-anywhere">{children}</div>
    </Alert>
  );
}
