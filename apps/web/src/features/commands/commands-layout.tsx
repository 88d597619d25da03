import {
  lazy,
  Suspense,
  use,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Outlet } from 'react-router';
import { type CommandSource, CommandsContext } from '@/lib/commands.ts';
import { ServicesContext } from '@/lib/services.ts';
import { isDialogOpen } from '@/lib/open-layers.ts';
import { actionOf } from '@/lib/shortcuts.ts';
import { readStored } from '@/lib/stored-value.ts';
import { askCommand, isTyping, pageShortcuts, singleKeysKey } from './page-shortcuts.ts';

const CommandPalette = lazy(async () => ({
  default: (await import('./command-palette.tsx')).CommandPalette,
}));
const ShortcutsDialog = lazy(async () => ({
  default: (await import('./shortcuts-dialog.tsx')).ShortcutsDialog,
}));

type Dialog = 'palette' | 'shortcuts';

/** Pages of the tool, with the command palette and the list of shortcuts, whose code loads on first use. */
function CommandsLayout() {
  const started = use(ServicesContext) !== null;
  const [open, setOpen] = useState<Dialog | null>(null);
  const [used, setUsed] = useState<ReadonlySet<Dialog>>(new Set());
  const show = useCallback((dialog: Dialog | null) => {
    if (dialog !== null) setUsed((before) => new Set([...before, dialog]));
    setOpen(dialog);
  }, []);
  const pages = useRef(new Set<() => readonly CommandSource[]>());
  const commands = useMemo(
    () => ({
      openPalette: () => show('palette'),
      openShortcuts: () => show('shortcuts'),
      provide: (sources: () => readonly CommandSource[]) => {
        const { current } = pages;
        current.add(sources);
        return () => void current.delete(sources);
      },
    }),
    [show],
  );
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const action = actionOf(pageShortcuts, event);
    if (action === undefined || !started || event.defaultPrevented) return;
    const isSingleKey = !event.ctrlKey && !event.metaKey;
    if (isSingleKey && (isTyping(event.target) || readStored(() => localStorage, singleKeysKey) === 'off'))
      return;
    if (action === 'ask') {
      const command = sourcesOf(pages.current).flatMap((source) => source.byId(askCommand) ?? [])[0];
      if (command === undefined || isDialogOpen()) return;
      event.preventDefault();
      command.run();
      return;
    }
    if (open === null) {
      if (isDialogOpen()) return;
    } else if (open !== action) return;
    event.preventDefault();
    show(open === action ? null : action);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
  return (
    <CommandsContext value={started ? commands : null}>
      <Outlet />
      <Suspense>
        {used.has('palette') && (
          <CommandPalette
            open={open === 'palette'}
            onOpenChange={(next) => show(next ? 'palette' : null)}
            pageSources={() => sourcesOf(pages.current)}
          />
        )}
        {used.has('shortcuts') && (
          <ShortcutsDialog
            open={open === 'shortcuts'}
            onOpenChange={(next) => show(next ? 'shortcuts' : null)}
          />
        )}
      </Suspense>
    </CommandsContext>
  );
}

function sourcesOf(pages: ReadonlySet<() => readonly CommandSource[]>): CommandSource[] {
  return [...pages].flatMap((sources) => sources());
}

export { CommandsLayout as Component };
