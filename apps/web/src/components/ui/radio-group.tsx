import { RadioGroup as Primitive } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn.ts';

export function RadioGroup({ className, ...props }: ComponentProps<typeof Primitive.Root>) {
  return <Primitive.Root className={cn('grid gap-2', className)} {...props} />;
}

/** A circle of 16 px with a target of 24 px that takes only the space of the circle. */
export function RadioGroupItem({ className, ...props }: ComponentProps<typeof Primitive.Item>) {
  return (
    <Primitive.Item
      className={cn(
        'group -m-1 size-6 shrink-0 rounded-full p-1 disabled:cursor-not-allowed disabled:opacity-60',
        className,
      )}
      {...props}
    >
      <span className="border-input bg-surface group-data-[state=checked]:border-accent flex size-4 items-center justify-center rounded-full border transition-colors">
        <Primitive.Indicator className="bg-accent size-2 rounded-full" />
      </span>
    </Primitive.Item>
  );
}
