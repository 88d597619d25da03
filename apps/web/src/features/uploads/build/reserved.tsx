import type { ReactNode } from 'react';
import { cn } from '@/lib/cn.ts';

interface ReservedProps {
  /** The longest that it may come to say. */
  longest: string;
  className?: string;
  children?: ReactNode;
}

/** Text that takes the height of its longest version, however long it is: nothing moves when it changes. */
export function Reserved({ longest, className, children }: ReservedProps) {
  return (
    <span
      data-longest={longest}
      className={cn(
        'grid tabular-nums before:invisible before:col-start-1 before:row-start-1 before:content-[attr(data-longest)]',
        className,
      )}
    >
      <span className="col-start-1 row-start-1">{children}</span>
    </span>
  );
}
