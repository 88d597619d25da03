import type { VariantProps } from 'class-variance-authority';
import { cva } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn.ts';

const alertVariants = cva(
  'flex items-start gap-2 rounded-md px-3 py-2 text-[13px] leading-5 [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0',
  {
    variants: {
      variant: {
        neutral: 'bg-surface-2 text-foreground',
        accent: 'bg-accent-soft text-accent-soft-foreground',
        warning: 'bg-warning-soft text-warning',
        success: 'bg-success-soft text-success',
        danger: 'bg-danger-soft text-danger-strong',
      },
    },
    defaultVariants: { variant: 'neutral' },
  },
);

/** A message in place. Give it `role="alert"` or `role="status"` when it appears after an action. */
export function Alert({
  className,
  variant,
  ...props
}: ComponentProps<'div'> & VariantProps<typeof alertVariants>) {
  return <div className={cn(alertVariants({ variant }), className)} {...props} />;
}
