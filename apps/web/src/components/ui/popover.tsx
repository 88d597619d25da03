import { Popover as Primitive } from 'radix-ui';
import { type ComponentProps, createContext, useContext, useId } from 'react';
import { cn } from '@/lib/cn.ts';

const TriggerId = createContext('');

export function Popover(props: ComponentProps<typeof Primitive.Root>) {
  const id = useId();
  return (
    <TriggerId value={id}>
      <Primitive.Root {...props} />
    </TriggerId>
  );
}

export function PopoverTrigger(props: ComponentProps<typeof Primitive.Trigger>) {
  return <Primitive.Trigger id={useContext(TriggerId)} {...props} />;
}

export const PopoverAnchor = Primitive.Anchor;

export function PopoverArrow() {
  return <Primitive.Arrow className="fill-border" />;
}

/** A dialog called by its `aria-label`, or as its trigger. */
export function PopoverContent({ className, ...props }: ComponentProps<typeof Primitive.Content>) {
  const triggerId = useContext(TriggerId);
  return (
    <Primitive.Portal>
      <Primitive.Content
        aria-labelledby={props['aria-label'] === undefined ? triggerId : undefined}
        sideOffset={6}
        collisionPadding={8}
        className={cn(
          'bg-surface data-[state=open]:animate-appear z-50 w-72 rounded-md border p-4 text-sm shadow-lg',
          className,
        )}
        {...props}
      />
    </Primitive.Portal>
  );
}
