import { Button } from '@/components/ui/button.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';

interface LoadingOverlayProps {
  title: string;
  text: string;
  onCancel: () => void;
}

/** Lies over the figures while new ones are made. Fades in late, so that a quick answer does not flash. */
export function LoadingOverlay({ title, text, onCancel }: LoadingOverlayProps) {
  return (
    <div className="bg-veil animate-appear-late absolute inset-0 z-10 flex items-center justify-center rounded-lg">
      <div className="bg-surface flex max-w-sm flex-col items-center gap-1 rounded-lg border px-8 py-6 text-center shadow-lg">
        <Spinner className="text-accent mb-2 size-6" />
        <div role="status">
          <p className="font-semibold">{title}</p>
          <p className="text-muted text-[13px]">{text}</p>
        </div>
        <Button variant="secondary" size="sm" className="mt-3" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
