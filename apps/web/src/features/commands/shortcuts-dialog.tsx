import { useId } from 'react';
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '@/components/ui/dialog.tsx';
import { Switch } from '@/components/ui/switch.tsx';
import { mapShortcuts } from '@/features/map/index.ts';
import { type KeyPress, keyCaps } from '@/lib/shortcuts.ts';
import { useStored } from '@/lib/use-stored.ts';
import { pageShortcuts, singleKeysKey } from './page-shortcuts.ts';

interface ListedShortcut {
  keys: readonly (readonly string[])[];
  label: string;
}

interface ShortcutGroup {
  heading: string;
  shortcuts: readonly ListedShortcut[];
}

const capsOf = (keys: readonly KeyPress[]) => keys.map(keyCaps);

/** Gestures with a pointer and keys of controls, which act where they are declared. */
const pointerShortcuts: readonly ListedShortcut[] = [
  { keys: [['Shift', 'drag']], label: 'Add to the selection, with a lasso or box' },
  { keys: [['Alt', 'drag']], label: 'Remove from the selection' },
  { keys: [['Click']], label: 'Show a category of the legend alone' },
  { keys: [['Alt', 'click']], label: 'Hide a category of the legend' },
  { keys: [['Double-click']], label: 'Zoom to a category, or into the map' },
];
const fieldShortcuts: readonly ListedShortcut[] = [
  { keys: [['Enter']], label: 'Add the gene; in an empty box, draw the selected genes' },
  { keys: [[',']], label: 'Separate several genes' },
  { keys: [['Backspace']], label: 'Remove the last gene, in an empty box' },
];

const groups: readonly ShortcutGroup[] = [
  {
    heading: 'Everywhere',
    shortcuts: pageShortcuts.map(({ keys, label }) => ({ keys: capsOf(keys), label })),
  },
  {
    heading: 'A focused map',
    shortcuts: mapShortcuts.map(({ keys, label }) => ({ keys: capsOf(keys), label })),
  },
  { heading: 'Maps and legends, by pointer', shortcuts: pointerShortcuts },
  { heading: 'Gene boxes', shortcuts: fieldShortcuts },
];

interface ShortcutsDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function ShortcutsDialog({ open, onOpenChange }: ShortcutsDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent className="max-w-2xl">
        <div>
          <DialogTitle>Keyboard Shortcuts</DialogTitle>
          <DialogDescription>A map has the focus after Tab or a click.</DialogDescription>
        </div>
        <div className="min-h-0 gap-x-8 overflow-y-auto sm:columns-2">
          {groups.map(({ heading, shortcuts }) => (
            <section key={heading} aria-label={heading} className="mb-4 break-inside-avoid">
              <h3 className="mb-1 text-[13px] font-semibold">{heading}</h3>
              <dl className="text-[13px]">
                {shortcuts.map(({ keys, label }) => (
                  <div key={label} className="flex items-baseline justify-between gap-3 border-t py-1">
                    <dt className="min-w-0">{label}</dt>
                    <dd className="flex shrink-0 gap-1.5">
                      {keys.map((caps) => (
                        <span key={caps.join()} className="flex gap-0.5">
                          {caps.map((cap) => (
                            <kbd
                              key={cap}
                              className="bg-surface-2 rounded border px-1.5 font-sans text-[11px] leading-4.5"
                            >
                              {cap}
                            </kbd>
                          ))}
                        </span>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
        <SingleKeySwitch />
      </DialogContent>
    </Dialog>
  );
}

/** Speech input would press a single key by accident. */
function SingleKeySwitch() {
  const id = useId();
  const [on, store] = useStored(singleKeysKey, (stored) => stored !== 'off');
  return (
    <div className="flex items-center gap-2 border-t pt-3 text-[13px]">
      <Switch id={id} checked={on} onCheckedChange={(next) => store(next ? 'on' : 'off')} />
      <label htmlFor={id}>Shortcuts of a single key: / and ?</label>
    </div>
  );
}
