import { expect, type Page } from '@playwright/test';

/** Public pages can be read before their code has come: waits until it has, as it then knows who is signed in. */
export async function expectAlive(page: Page): Promise<void> {
  await expect(page.getByRole('link', { name: /^(Login|Account)$/ })).toBeVisible();
}
