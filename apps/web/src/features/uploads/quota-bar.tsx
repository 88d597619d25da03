import { fileSize, roundFileSize } from '@cellfolio/contract';
import { Progress } from '@/components/ui/progress.tsx';

interface QuotaBarProps {
  /** Bytes. */
  used: number;
  /** What the plan has room for; `null` while it is not known. */
  quota: number | null;
}

/** How much of the plan's storage is taken. */
export function QuotaBar({ used, quota }: QuotaBarProps) {
  const text = quota ? `${fileSize(used)} of ${roundFileSize(quota)} used` : `${fileSize(used)} used`;
  return (
    <div className="flex w-full flex-col gap-1 pt-0.5 sm:w-56">
      <p className="text-muted text-xs tabular-nums sm:text-right">{text}</p>
      <Progress
        aria-label="Storage used"
        // Whole percents: a small share would be written as 1e-7, which screen readers do not read.
        value={quota ? Math.min(100, Math.round((used / quota) * 100)) : 0}
        getValueLabel={() => text}
      />
    </div>
  );
}
