import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn.ts';

export function Input({ className, ...props }: ComponentProps<'input'>) {
  return (
    <input
      className={cn(
        'border-input bg-surface placeholder:text-muted aria-invalid:border-danger h-9 w-full min-w-0 rounded-md border px-3 text-sm transition-colors disabled:cursor-not-allowed disabled:opacity-60',
        className,
      )}
      {...props}
    />
  );
}
