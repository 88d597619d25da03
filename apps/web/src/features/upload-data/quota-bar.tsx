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
        value={Math.min(100, (used / quotaBytes) * 100)}
        getValueLabel={() => text}
      />
    </div>
  );
}
