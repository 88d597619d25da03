import { fileSize } from '@cellfolio/contract';
import { Button } from '@/components/ui/button.tsx';
import { Progress } from '@/components/ui/progress.tsx';

interface DownloadProgressProps {
  doing: string;
  received: number | null;
  /** Absent if unknown in advance: the bar is then indeterminate. */
  total?: number | undefined;
  onCancel: () => void;
}

export function DownloadProgress({ doing, received, total, onCancel }: DownloadProgressProps) {
  const of = total === undefined ? '' : ` of ${fileSize(total)}`;
  return (
    <div className="flex flex-col gap-1.5">
      <Progress
        aria-label="Progress of the download"
        value={received === null || !total ? null : (received / total) * 100}
      />
      <div className="text-muted flex items-center justify-between text-xs">
        <span className="tabular-nums">
          {received === null ? doing : `${fileSize(received)}${of} received`}
        </span>
        <Button variant="link" size="inline" className="text-xs" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
