import { Check, ChevronDown, ChevronUp } from 'lucide-react';
import { Select as Primitive } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn.ts';

export const Select = Primitive.Root;
export const SelectGroup = Primitive.Group;
export const SelectValue = Primitive.Value;

/** Styled like an input; `data-size="sm"` for dense panels. */
export function SelectTrigger({ className, children, ...props }: ComponentProps<typeof Primitive.Trigger>) {
  return (
    <Primitive.Trigger
      className={cn(
        'border-input bg-surface data-placeholder:text-muted aria-invalid:border-danger flex h-9 w-full min-w-0 items-center justify-between gap-2 rounded-md border px-3 text-left text-sm transition-colors disabled:cursor-not-allowed disabled:opacity-60 data-[size=sm]:h-8 data-[size=sm]:px-2.5 data-[size=sm]:text-[13px] [&>span]:truncate',
        className,
      )}
      {...props}
    >
      {children}
      <Primitive.Icon asChild>
        <ChevronDown aria-hidden className="text-muted size-4 shrink-0" />
      </Primitive.Icon>
    </Primitive.Trigger>
  );
}

// Over the options: a button that appears between them would shift the option under the pointer.
const scrollButton = 'bg-surface text-muted absolute inset-x-0 z-10 flex h-6 items-center justify-center';

export function SelectContent({ className, children, ...props }: ComponentProps<typeof Primitive.Content>) {
  return (
    <Primitive.Portal>
      <Primitive.Content
        position="popper"
        sideOffset={4}
        className={cn(
          'bg-surface data-[state=open]:animate-appear relative z-50 max-h-[min(26rem,var(--radix-select-content-available-height))] min-w-(--radix-select-trigger-width) overflow-hidden rounded-md border shadow-lg',
          className,
        )}
        {...props}
      >
        <Primitive.ScrollUpButton className={cn(scrollButton, 'top-0')}>
          <ChevronUp aria-hidden className="size-4" />
        </Primitive.ScrollUpButton>
        <Primitive.Viewport className="scroll-py-6 p-1">{children}</Primitive.Viewport>
        <Primitive.ScrollDownButton className={cn(scrollButton, 'bottom-0')}>
          <ChevronDown aria-hidden className="size-4" />
        </Primitive.ScrollDownButton>
      </Primitive.Content>
    </Primitive.Portal>
  );
}

export function SelectLabel({ className, ...props }: ComponentProps<typeof Primitive.Label>) {
  return <Primitive.Label className={cn('text-muted px-2 py-1.5 text-xs', className)} {...props} />;
}

/** `note`: a line below the name, while the list is open. */
export function SelectItem({
  className,
  children,
  note,
  ...props
}: ComponentProps<typeof Primitive.Item> & { note?: string }) {
  return (
    <Primitive.Item
      className={cn(
        'data-highlighted:bg-surface-2 data-disabled:text-muted relative flex cursor-default items-center gap-2 rounded py-1.5 pr-8 pl-2 text-sm outline-none select-none',
        className,
      )}
      {...props}
    >
      <span className="flex min-w-0 flex-col">
        <Primitive.ItemText>{children}</Primitive.ItemText>
        {note !== undefined && <span className="text-muted text-xs">{note}</span>}
      </span>
      <Primitive.ItemIndicator className="absolute right-2">
        <Check aria-hidden className="size-4" />
      </Primitive.ItemIndicator>
    </Primitive.Item>
  );
}
