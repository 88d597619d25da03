import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';

/** The file that the browser saves when this is done, and the name it is saved under. */
export async function downloaded(
  page: Page,
  act: () => Promise<void>,
): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}
