import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { viewer } from './support/explorer.ts';
import { expect, test } from './support/test.ts';
import {
  fileRow,
  fileOf,
  openUploads,
  type TestUpload,
  countsTable,
  countsTrio,
} from './support/upload-page.ts';
import { beginWorkflow } from './support/workflow.ts';

async function chooseFiles(page: Page, ...files: TestUpload[]): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.getByText('Choose files', { exact: true }).click();
  await (await choosing).setFiles(files);
}

test('a table of counts is uploaded, its quality control reviewed, and explored; the three files of a matrix become one dataset', async ({
  page,
}) => {
  const mark = randomBytes(4).toString('hex');
  await openUploads(page);
  const withTable = await beginWorkflow(page, 'Upload a table');
  await chooseFiles(page, fileOf(`counts ${mark}.csv.gz`, countsTable(1)));
  await page.getByRole('button', { name: 'Upload File' }).click();
  const table = fileRow(page, `counts ${mark}.csv.gz`);
  await table.getByRole('button', { name: /^Review quality control/ }).click();
  const settings = page.getByRole('dialog', { name: 'Review quality control' });
  await expect(settings.getByRole('status').filter({ hasText: 'would be removed' })).toBeVisible();
  await settings.getByRole('button', { name: 'Build', exact: true }).click();
  await table.getByRole('link', { name: /^Explore/ }).click();
  await expect(page.getByText(/^1\d\d cells active$/)).toBeVisible();
  await withTable.end({
    answer: viewer(page).getByRole('application', { name: /^Map: / }),
    next: [page.getByRole('combobox', { name: 'Search genes', exact: true })],
  });

  await page.goto('/upload-data');
  const withTrio = await beginWorkflow(page, 'Upload a matrix of three files');
  const { matrix, barcodes, features } = countsTrio(3);
  await chooseFiles(
    page,
    fileOf(`${mark}_matrix.mtx`, matrix),
    fileOf(`${mark}_barcodes.tsv`, barcodes),
    fileOf(`${mark}_features.tsv`, features),
  );
  await page.getByRole('button', { name: 'Upload 3 Files' }).click();
  await page.getByRole('button', { name: 'Select its 3 files' }).click();
  await page.getByRole('button', { name: 'Convert to H5AD' }).click();
  const row = fileRow(page, `${mark}.h5ad`);
  await withTrio.end({
    answer: row.getByText('160 cells × 240 genes', { exact: false }),
    next: [row.getByRole('button', { name: /^Review quality control/ })],
  });
});
