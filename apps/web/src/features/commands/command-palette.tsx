import { Command as Primitive } from 'cmdk';
import { Search } from 'lucide-react';
import { useRef, useState } from 'react';
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogTitle,
  useFocusReturn,
} from '@/components/ui/dialog.tsx';
import type { Command, CommandSource } from '@/lib/commands.ts';
import { findCommands } from './find-commands.ts';
import { readRecentCommands, rememberCommand } from './recent-commands.ts';
import { useSiteSources } from './site-commands.ts';

interface CommandPaletteProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Commands of the page that is open. */
  pageSources: () => readonly CommandSource[];
}

export function CommandPalette({ open, onOpenChange, pageSources }: CommandPaletteProps) {
  const focusReturn = useFocusReturn();
  const chosen = useRef<Command | null>(null);
  const choose = (command: Command) => {
    rememberCommand(command.id);
    chosen.current = command;
    onOpenChange(false);
  };
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        className="top-[12dvh] max-h-[76dvh] max-w-xl translate-y-0 gap-0 p-0"
        {...focusReturn}
        onCloseAutoFocus={(event) => {
          focusReturn.onCloseAutoFocus(event);
          // Opened while nothing had the focus: the keyboard goes on in the page.
          if (document.activeElement === document.body)
            document.getElementById('content')?.focus({ preventScroll: true });
          // Afterwards: a command may focus something else.
          chosen.current?.run();
          chosen.current = null;
        }}
      >
        <DialogTitle className="sr-only">Command Palette</DialogTitle>
        <DialogDescription className="sr-only">
          Type to find a command. Up and down choose one, Enter runs it.
        </DialogDescription>
        <CommandList pageSources={pageSources} onChoose={choose} />
      </DialogContent>
    </Dialog>
  );
}

interface CommandListProps {
  pageSources: CommandPaletteProps['pageSources'];
  onChoose: (command: Command) => void;
}

function CommandList({ pageSources, onChoose }: CommandListProps) {
  const [text, setText] = useState('');
  const [active, setActive] = useState('0');
  const [recent] = useState(readRecentCommands);
  const ofPage = pageSources();
  const site = useSiteSources(text, ofPage.length > 0);
  const groups = findCommands([...ofPage, ...site.sources], text, recent);
  const placed = withPlaces(groups);
  const isEmpty = placed.length === 0;
  return (
    <Primitive
      label="Find a command"
      shouldFilter={false}
      vimBindings={false}
      loop
      value={active}
      onValueChange={setActive}
      className="flex min-h-0 flex-col"
    >
      <div className="flex items-center gap-2 border-b px-4 pr-12">
        <Search aria-hidden className="text-muted size-4 shrink-0" />
        <Primitive.Input
          placeholder={
            ofPage.length > 0
              ? 'Find a gene, column, analysis, result, dataset or command'
              : 'Find a dataset, a page or a gene in all datasets'
          }
          autoCapitalize="off"
          className="placeholder:text-muted h-13 min-w-0 flex-1 bg-transparent text-sm outline-none"
          value={text}
          maxLength={500}
          onValueChange={(next) => {
            setText(next);
            setActive('0');
          }}
        />
      </div>
      <Primitive.List label="Commands" className="min-h-0 scroll-py-2 overflow-y-auto overscroll-contain p-2">
        {placed.map(({ heading, commands }) => (
          <Primitive.Group
            key={heading}
            heading={heading}
            className="[&_[cmdk-group-heading]]:text-muted pb-1 [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium"
          >
            {commands.map(({ command, place }) => (
              <Primitive.Item
                key={command.id}
                value={place}
                onSelect={() => onChoose(command)}
                className="data-[selected=true]:bg-accent-soft data-[selected=true]:text-accent-soft-foreground flex min-h-8 cursor-pointer items-baseline gap-3 rounded px-2 py-1.5 text-[13px]"
              >
                <span className="min-w-0 truncate">{command.label}</span>
                {command.note !== undefined && (
                  <span className="text-muted ml-auto max-w-1/2 shrink-0 truncate text-xs">
                    {command.note}
                  </span>
                )}
              </Primitive.Item>
            ))}
          </Primitive.Group>
        ))}
        {isEmpty && !site.isPending && (
          <p role="status" className="text-muted px-2 py-6 text-center text-sm">
            Nothing matches “<span className="wrap-anywhere">{text.trim()}</span>”.
          </p>
        )}
        {site.isPending && (
          <p role="status" className="text-muted px-2 py-1.5 text-xs">
            Loading the datasets...
          </p>
        )}
        {site.failed && (
          <p role="status" className="text-muted px-2 py-1.5 text-xs">
            The datasets could not be loaded.
          </p>
        )}
      </Primitive.List>
    </Primitive>
  );
}

/** Numbers the commands through all groups; ids may contain what the list cannot tell apart, such as outer spaces. */
function withPlaces(groups: ReturnType<typeof findCommands>) {
  let place = 0;
  return groups.map(({ heading, commands }) => ({
    heading,
    commands: commands.map((command) => ({ command, place: String(place++) })),
  }));
}
