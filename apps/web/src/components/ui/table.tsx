import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn.ts';

/** Scrolls horizontally, also by keyboard. Name it with `aria-label`. */
export function Table({ className, 'aria-label': label, ...props }: ComponentProps<'table'>) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region has to be reachable by keyboard
    <div role="region" aria-label={label} tabIndex={0} className="w-full overflow-x-auto rounded-md">
      <table
        aria-label={label}
        className={cn('w-full border-collapse text-[13px] leading-5', className)}
        {...props}
      />
    </div>
  );
}

export function TableHeader({ className, ...props }: ComponentProps<'thead'>) {
  return <thead className={cn('text-muted text-left text-xs', className)} {...props} />;
}

export function TableBody(props: ComponentProps<'tbody'>) {
  return <tbody {...props} />;
}

export function TableRow({ className, ...props }: ComponentProps<'tr'>) {
  return <tr className={cn('border-b last:border-b-0', className)} {...props} />;
}

/** A column heading; `scope="row"` for a row heading. */
export function TableHead({ className, scope = 'col', ...props }: ComponentProps<'th'>) {
  return (
    <th scope={scope} className={cn('px-2 py-1.5 font-medium whitespace-nowrap', className)} {...props} />
  );
}

export function TableCell({ className, ...props }: ComponentProps<'td'>) {
  return <td className={cn('px-2 py-1.5', className)} {...props} />;
}
