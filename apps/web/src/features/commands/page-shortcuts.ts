import type { Shortcut } from '@/lib/shortcuts.ts';

type PageAction = 'palette' | 'ask' | 'shortcuts';

/** The command of a page that asks a question about its dataset. */
export const askCommand = 'ask';

/** Shortcuts of all pages of the tool. */
export const pageShortcuts: readonly Shortcut<PageAction>[] = [
  {
    keys: [{ key: 'k', ctrl: true }],
    label: 'Search genes, columns, analyses, results and commands',
    action: 'palette',
  },
  { keys: [{ key: '/' }], label: 'Ask a question about the open dataset', action: 'ask' },
  { keys: [{ key: '?' }], label: 'Show this list', action: 'shortcuts' },
];

/** Storage key that turns shortcuts of a single key off. */
export const singleKeysKey = 'cellfolio:single-keys';

/** Whether a typed character goes into a field. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest('input, textarea, select, [role=textbox]') !== null;
}
