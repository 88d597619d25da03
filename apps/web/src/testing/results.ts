import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';

/** Chooses a file in the download menu of a result; `group` is the table or figure. */
export async function chooseFile(user: UserEvent, group: string | RegExp, file: string | RegExp) {
  await user.click(screen.getByRole('button', { name: 'Download' }));
  const items = within(await screen.findByRole('group', { name: group }));
  await user.click(items.getByRole('menuitem', { name: file }));
}
