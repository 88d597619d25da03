import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from '@/lib/cn.ts';

export function Skeleton({ className, ...props }: ComponentProps<'div'>) {
  return <div aria-hidden className={cn('bg-surface-3 animate-pulse rounded-md', className)} {...props} />;
}

interface EmptyStateProps {
  icon?: LucideIcon;
  title: string;
  children?: ReactNode;
  className?: string;
}

export function EmptyState({ icon: Icon, title, children, className }: EmptyStateProps) {
  return (
    <div
      className={cn('text-muted flex flex-col items-center gap-2 px-4 py-8 text-center text-sm', className)}
    >
      {Icon && <Icon aria-hidden className="size-6" strokeWidth={1.5} />}
      <p className="text-foreground font-medium">{title}</p>
      {children}
    </div>
  );
}
