import { LoaderCircle } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn.ts';

/** Always beside words that say what is being waited for; by itself it is decoration. */
export function Spinner({ className, ...props }: ComponentProps<typeof LoaderCircle>) {
  return <LoaderCircle aria-hidden className={cn('size-4 animate-spin', className)} {...props} />;
}
