import { Check } from 'lucide-react';
import { Checkbox as Primitive } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn.ts';

export function Checkbox({ className, ...props }: ComponentProps<typeof Primitive.Root>) {
  return (
    <Primitive.Root
      className={cn(
        'border-input bg-surface data-[state=checked]:border-accent data-[state=checked]:bg-accent data-[state=checked]:text-accent-foreground disabled:data-[state=checked]:border-input disabled:data-[state=checked]:bg-surface-3 disabled:data-[state=checked]:text-muted size-4 shrink-0 rounded border transition-colors disabled:cursor-not-allowed',
        className,
      )}
      {...props}
    >
      <Primitive.Indicator className="flex items-center justify-center">
        <Check aria-hidden className="size-3" strokeWidth={3} />
      </Primitive.Indicator>
    </Primitive.Root>
  );
}
