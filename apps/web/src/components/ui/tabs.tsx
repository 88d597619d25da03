import { Tabs as Primitive } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn.ts';

export const Tabs = Primitive.Root;

export function TabsList({ className, ...props }: ComponentProps<typeof Primitive.List>) {
  return (
    <Primitive.List
      className={cn(
        'bg-surface-3 dark:bg-surface-2 grid auto-cols-fr grid-flow-col rounded-md p-1',
        className,
      )}
      {...props}
    />
  );
}

export function TabsTrigger({ className, ...props }: ComponentProps<typeof Primitive.Trigger>) {
  return (
    <Primitive.Trigger
      className={cn(
        'text-muted data-[state=active]:bg-surface dark:data-[state=active]:bg-surface-3 data-[state=active]:text-foreground data-[state=active]:shadow-card h-7 rounded px-3 text-sm font-medium transition-colors',
        className,
      )}
      {...props}
    />
  );
}

export function TabsContent({ className, ...props }: ComponentProps<typeof Primitive.Content>) {
  return <Primitive.Content className={cn('rounded-md', className)} {...props} />;
}
