import { useId } from 'react';
import { Switch } from '@/components/ui/switch.tsx';
import type { CommonScale } from './common-scale.ts';

/** Turns one range for all images on and off, and says which it is. */
export function CommonScaleSwitch({ scale }: { scale: CommonScale }) {
  const id = useId();
  return (
    <div className="flex h-5 shrink-0 items-center gap-2 text-xs">
      <Switch id={id} checked={scale.on} onCheckedChange={scale.turn} />
      <label htmlFor={id} className="shrink-0 font-medium">
        Same scale
      </label>
      <p className="text-muted min-w-0 truncate tabular-nums" title={scale.text} aria-live="polite">
        {scale.text}
      </p>
    </div>
  );
}
