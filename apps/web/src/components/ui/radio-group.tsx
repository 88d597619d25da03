import { RadioGroup as Primitive } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn.ts';

export function RadioGroup({ className, ...props }: ComponentProps<typeof Primitive.Root>) {
  return <Primitive.Root className={cn('grid gap-2', className)} {...props} />;
}

export function RadioGroupItem({ className, ...props }: ComponentProps<typeof Primitive.Item>) {
  return (
    <Primitive.Item
      className={cn(
        'border-input bg-surface data-[state=checked]:border-accent size-4 shrink-0 rounded-full border transition-colors disabled:cursor-not-allowed disabled:opacity-60',
        className,
      )}
      {...props}
    >
      <Primitive.Indicator className="after:bg-accent flex items-center justify-center after:size-2 after:rounded-full" />
    </Primitive.Item>
  );
}
