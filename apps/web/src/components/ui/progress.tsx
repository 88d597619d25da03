import { Progress as Primitive } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn.ts';

/** Share done, 0 to 100; `null` while unknown. Name it with `aria-label` or `aria-labelledby`. */
export function Progress({ className, value, ...props }: ComponentProps<typeof Primitive.Root>) {
  return (
    <Primitive.Root
      value={value ?? null}
      className={cn('bg-surface-3 relative h-1.5 w-full overflow-hidden rounded-full', className)}
      {...props}
    >
      <Primitive.Indicator
        className="bg-accent data-[state=indeterminate]:animate-progress h-full w-full origin-left rounded-full transition-transform duration-200 motion-reduce:data-[state=indeterminate]:opacity-40"
        style={typeof value !== 'number' ? undefined : { transform: `scaleX(${value / 100})` }}
      />
    </Primitive.Root>
  );
}
