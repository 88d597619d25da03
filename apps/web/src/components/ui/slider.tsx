import { Slider as Primitive } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn.ts';

/** One thumb for each value; `labels` names them in the same order. */
export function Slider({
  className,
  value,
  defaultValue,
  labels,
  ...props
}: ComponentProps<typeof Primitive.Root> & { labels: readonly string[] }) {
  return (
    <Primitive.Root
      {...(value && { value })}
      {...(defaultValue && { defaultValue })}
      className={cn(
        'relative flex h-5 w-full touch-none items-center select-none data-disabled:opacity-60',
        className,
      )}
      {...props}
    >
      <Primitive.Track className="bg-surface-3 relative h-1.5 grow rounded-full">
        <Primitive.Range className="bg-accent absolute h-full rounded-full" />
      </Primitive.Track>
      {(value ?? defaultValue ?? [0]).map((_, i) => (
        <Primitive.Thumb
          key={labels[i] ?? i}
          aria-label={labels[i]}
          className="border-accent bg-surface block size-4 rounded-full border-2"
        />
      ))}
    </Primitive.Root>
  );
}
