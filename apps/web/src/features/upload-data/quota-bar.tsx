import { Progress } from '@/components/ui/progress.tsx';
import { quotaBytes, quotaText, storageText } from './quota.ts';

/** How much of the plan's storage is taken. */
export function QuotaBar({ used }: { used: number }) {
  const text = `${storageText(used)} of ${quotaText} used`;
  return (
    <div className="flex w-full flex-col gap-1 sm:w-56">
      <p className="text-muted text-xs tabular-nums sm:text-right">{text}</p>
      <Progress
        aria-label="Storage used"
        // Whole percents: a small share would be written as 1e-7, which screen readers do not read.
        value={Math.min(100, Math.round((used / quotaBytes) * 100))}
        getValueLabel={() => text}
      />
    </div>
  );
}
