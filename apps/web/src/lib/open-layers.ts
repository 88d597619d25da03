const marker = 'data-beside-page';

/** Attributes of a dialog that leaves the page and its shortcuts usable. */
export const besideThePage = { [marker]: '' };

const dialogs = `:is([role=dialog], [role=alertdialog]):not([${marker}])`;
const menus = '[role=menu], [role=combobox][aria-expanded=true]';

/** Whether a dialog has the keyboard. */
export function isDialogOpen(): boolean {
  return document.querySelector(dialogs) !== null;
}

/** Closes the dialog that opened last, as its button does. */
export function closeLastDialog(): void {
  const last = [...document.querySelectorAll(dialogs)].at(-1);
  last?.querySelector<HTMLElement>(':scope > button[aria-label=Close]')?.click();
}

/** Whether a dialog, a menu or a list of choices is open. */
export function isLayerOpen(): boolean {
  return document.querySelector(`${dialogs}, ${menus}`) !== null;
}
