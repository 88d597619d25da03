import { Button } from '@/components/ui/button.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';

interface SubmitButtonProps {
  busy: boolean;
  label: string;
  busyLabel: string;
  className?: string;
}

/** Keeps the focus while its form is sent: a button that is disabled for the wait would drop it. */
export function SubmitButton({ busy, label, busyLabel, className = 'w-full' }: SubmitButtonProps) {
  return (
    <Button type="submit" aria-disabled={busy} className={className}>
      {busy && <Spinner />}
      {busy ? busyLabel : label}
    </Button>
  );
}
