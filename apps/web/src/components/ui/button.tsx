import type { VariantProps } from 'class-variance-authority';
import { cva } from 'class-variance-authority';
import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn.ts';

const buttonVariants = cva(
  'inline-flex shrink-0 items-center justify-center gap-2 rounded-md font-medium whitespace-nowrap transition-colors select-none disabled:cursor-not-allowed aria-disabled:cursor-not-allowed [&_svg]:size-4 [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        primary:
          'bg-accent text-accent-foreground hover:bg-accent-hover disabled:bg-surface-3 disabled:text-muted',
        secondary:
          'border-border bg-surface text-foreground hover:bg-surface-2 disabled:text-muted border disabled:bg-transparent',
        ghost: 'text-foreground hover:bg-surface-2 disabled:text-muted',
        danger: 'text-danger hover:bg-danger-soft disabled:text-muted',
        destructive:
          'bg-danger-strong text-danger-foreground disabled:bg-surface-3 disabled:text-muted hover:opacity-90',
        link: 'text-accent underline-offset-4 hover:underline',
      },
      size: {
        md: 'h-9 px-4 text-sm',
        sm: 'h-8 px-3 text-[13px]',
        xs: 'h-7 px-2 text-xs',
        lg: 'h-11 px-6 text-base',
        icon: 'size-9',
        'icon-sm': 'size-7',
        inline: 'h-auto p-0',
      },
    },
    defaultVariants: { variant: 'primary', size: 'md' },
  },
);

export type ButtonProps = ComponentProps<'button'> &
  VariantProps<typeof buttonVariants> & { asChild?: boolean };

export function Button({
  className,
  variant,
  size,
  asChild = false,
  type = 'button',
  ...props
}: ButtonProps) {
  const classes = cn(buttonVariants({ variant, size }), className);
  return asChild ? (
    <Slot.Root className={classes} {...props} />
  ) : (
    <button type={type} className={classes} {...props} />
  );
}
