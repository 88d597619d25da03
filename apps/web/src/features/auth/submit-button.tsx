import type { ButtonProps } from '@/components/ui/button.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';

interface SubmitButtonProps {
  busy: boolean;
  label: string;
  busyLabel: string;
  /** It cannot be sent yet. */
  disabled?: boolean;
  className?: string;
  variant?: ButtonProps['variant'];
}

/** Keeps the focus while its form is sent: a button that is disabled for the wait would drop it. */
export function SubmitButton({
  busy,
  label,
  busyLabel,
  disabled,
  className = 'w-full',
  variant = 'primary',
}: SubmitButtonProps) {
  return (
    <Button type="submit" variant={variant} aria-disabled={busy} disabled={disabled} className={className}>
      {busy && <Spinner />}
      {busy ? busyLabel : label}
    </Button>
  );
}
