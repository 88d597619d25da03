import { expect, type Locator, type Page } from '@playwright/test';
import { sessionOf, signInAs } from './accounts.ts';
import { demoAccount } from './test.ts';

/**
 * Signs in with the plan that may upload, as if the browser had stored the session, from the page's next navigation on.
 */
export async function becomeProfessional(page: Page): Promise<void> {
  await signInAs(page, { session: await sessionOf(await demoAccount(page.request, 'professional')) });
}

export async function openUploads(page: Page): Promise<void> {
  await becomeProfessional(page);
  await page.goto('/upload-data');
  await expect(page.getByRole('button', { name: 'Upload File' })).toBeEnabled();
}

export interface TestUpload {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

export function given(name: string, content: string | Buffer): TestUpload {
  return { name, mimeType: '', buffer: Buffer.from(content) };
}

export async function upload(page: Page, ...files: TestUpload[]): Promise<void> {
  await page.getByLabel('Choose files').setInputFiles(files);
  await page
    .getByRole('button', { name: files.length > 1 ? `Upload ${files.length} Files` : 'Upload File' })
    .click();
  for (const { name } of files) await expect(fileRow(page, name)).toBeVisible();
}

export function fileRow(page: Page, originalName: string): Locator {
  return page
    .getByRole('list', { name: 'Your files' })
    .getByRole('listitem')
    .filter({ has: page.getByText(originalName, { exact: true }) });
}
