import { ToggleGroup as Primitive } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn.ts';

export function ToggleGroup({ className, ...props }: ComponentProps<typeof Primitive.Root>) {
  return (
    <Primitive.Root
      className={cn('bg-surface-3 dark:bg-surface-2 inline-flex items-center rounded-md p-1', className)}
      {...props}
    />
  );
}

export function ToggleGroupItem({ className, ...props }: ComponentProps<typeof Primitive.Item>) {
  return (
    <Primitive.Item
      className={cn(
        'text-muted data-[state=on]:bg-surface dark:data-[state=on]:bg-surface-3 data-[state=on]:text-foreground data-[state=on]:shadow-card inline-flex h-7 items-center gap-1.5 rounded px-3 text-sm font-medium transition-colors disabled:cursor-not-allowed [&_svg]:size-4',
        className,
      )}
      {...props}
    />
  );
}
