import { Check, Minus } from 'lucide-react';
import { Checkbox as Primitive } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn.ts';

/** A box of 16 px with a target of 24 px that takes only the space of the box. */
export function Checkbox({ className, ...props }: ComponentProps<typeof Primitive.Root>) {
  return (
    <Primitive.Root
      className={cn('group -m-1 size-6 shrink-0 rounded-md p-1 disabled:cursor-not-allowed', className)}
      {...props}
    >
      <span className="border-input bg-surface group-data-[state=checked]:border-accent group-data-[state=checked]:bg-accent group-data-[state=checked]:text-accent-foreground group-disabled:group-data-[state=checked]:border-input group-disabled:group-data-[state=checked]:bg-surface-3 group-disabled:group-data-[state=checked]:text-muted flex size-4 items-center justify-center rounded border transition-colors">
        <Primitive.Indicator>
          <Check aria-hidden className="size-3 group-data-[state=indeterminate]:hidden" strokeWidth={3} />
          <Minus
            aria-hidden
            className="hidden size-3 group-data-[state=indeterminate]:block"
            strokeWidth={3}
          />
        </Primitive.Indicator>
      </span>
    </Primitive.Root>
  );
}
