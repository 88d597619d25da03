import { Switch as Primitive } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn.ts';

/** For a setting that takes effect at once; in a form use a Checkbox. */
export function Switch({ className, ...props }: ComponentProps<typeof Primitive.Root>) {
  return (
    <Primitive.Root
      className={cn(
        'bg-input data-[state=checked]:bg-accent inline-flex h-5 w-9 shrink-0 items-center rounded-full p-0.5 transition-colors disabled:cursor-not-allowed disabled:opacity-60',
        className,
      )}
      {...props}
    >
      <Primitive.Thumb className="bg-surface block size-4 rounded-full transition-transform data-[state=checked]:translate-x-4" />
    </Primitive.Root>
  );
}
