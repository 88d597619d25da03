import { Popover as Primitive } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn.ts';

export const Popover = Primitive.Root;
export const PopoverTrigger = Primitive.Trigger;

export function PopoverContent({ className, ...props }: ComponentProps<typeof Primitive.Content>) {
  return (
    <Primitive.Portal>
      <Primitive.Content
        sideOffset={6}
        collisionPadding={8}
        className={cn(
          'bg-surface data-[state=open]:animate-appear z-50 w-72 rounded-md border p-4 text-sm shadow-lg',
          className,
        )}
        {...props}
      />
    </Primitive.Portal>
  );
}
