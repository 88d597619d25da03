import { AlertDialog as Primitive } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn.ts';
import { Button } from './button.tsx';
import { useFocusReturn } from './use-focus-return.ts';

export const AlertDialog = Primitive.Root;
export const AlertDialogTrigger = Primitive.Trigger;

/** A question that must be answered before anything else. Give it a title, a description and its two answers. */
export function AlertDialogContent({
  className,
  children,
  ...props
}: ComponentProps<typeof Primitive.Content>) {
  const focusReturn = useFocusReturn();
  return (
    <Primitive.Portal>
      <Primitive.Overlay className="bg-overlay data-[state=open]:animate-appear fixed inset-0 z-50" />
      <Primitive.Content
        className={cn(
          'bg-surface data-[state=open]:animate-appear fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 flex-col gap-2 overflow-y-auto rounded-lg border p-6 shadow-lg',
          className,
        )}
        {...focusReturn}
        {...props}
      >
        {children}
      </Primitive.Content>
    </Primitive.Portal>
  );
}

export function AlertDialogTitle({ className, ...props }: ComponentProps<typeof Primitive.Title>) {
  return <Primitive.Title className={cn('text-base leading-6 font-semibold', className)} {...props} />;
}

export function AlertDialogDescription({
  className,
  ...props
}: ComponentProps<typeof Primitive.Description>) {
  return <Primitive.Description className={cn('text-muted text-sm', className)} {...props} />;
}

export function AlertDialogFooter({ className, ...props }: ComponentProps<'div'>) {
  return <div className={cn('mt-4 flex flex-wrap justify-end gap-2', className)} {...props} />;
}

export function AlertDialogCancel(props: ComponentProps<typeof Primitive.Cancel>) {
  return (
    <Button variant="secondary" asChild>
      <Primitive.Cancel {...props} />
    </Button>
  );
}

/** The answer that goes on; `destructive` where it cannot be undone. */
export function AlertDialogAction({
  destructive = false,
  ...props
}: ComponentProps<typeof Primitive.Action> & { destructive?: boolean }) {
  return (
    <Button variant={destructive ? 'destructive' : 'primary'} asChild>
      <Primitive.Action {...props} />
    </Button>
  );
}
