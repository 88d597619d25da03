const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** A key with its modifiers; `ctrl` is the command key on a Mac. */
export interface KeyPress {
  /** As `KeyboardEvent.key` has it, letters in lower case. */
  key: string;
  ctrl?: boolean;
  shift?: boolean;
}

/** A key that does something, for its handler and for the list of shortcuts. */
export interface Shortcut<Action> {
  keys: readonly KeyPress[];
  label: string;
  action: Action;
}

/** The action of a pressed key; `undefined` if it has none. */
export function actionOf<Action>(
  shortcuts: readonly Shortcut<Action>[],
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>,
): Action | undefined {
  if (event.altKey) return undefined;
  return shortcuts.find(({ keys }) => keys.some((press) => matches(press, event)))?.action;
}

function matches(
  { key, ctrl = false, shift = false }: KeyPress,
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey'>,
): boolean {
  if (event.key.toLowerCase() !== key.toLowerCase()) return false;
  if ((event.ctrlKey || event.metaKey) !== ctrl) return false;
  // Which characters need Shift depends on the keyboard.
  return !ctrl || event.shiftKey === shift;
}

const names: ReadonlyMap<string, string> = new Map([
  ['ArrowLeft', '←'],
  ['ArrowRight', '→'],
  ['ArrowUp', '↑'],
  ['ArrowDown', '↓'],
  ['Escape', 'Esc'],
  ['-', '−'],
]);

/** Key caps of a shortcut, as written on the keyboard of this device. */
export function keyCaps({ key, ctrl, shift }: KeyPress): string[] {
  const name = names.get(key) ?? (key.length === 1 ? key.toUpperCase() : key);
  return [
    ...(ctrl === true ? [isMac ? '⌘' : 'Ctrl'] : []),
    ...(shift === true ? [isMac ? '⇧' : 'Shift'] : []),
    name,
  ];
}
