import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { becomeNewUser } from './support/accounts.ts';
import { clickAndNotice } from './support/explorer.ts';
import { expectAccessible, expectNoWiderThanScreen } from './support/page-checks.ts';
import { downloaded, expect, test } from './support/test.ts';
import { fileRow, openUploads } from './support/upload-page.ts';

const chunk = 6 * 1024 * 1024;
const unclearTable = join(import.meta.dirname, '../packages/ingest/src/conversions/fixtures/unclear.csv');

test('only the Professional plan may upload, which others read in a narrow window too', async ({ page }) => {
  await becomeNewUser(page);
  await page.goto('/upload-data');
  await expect(
    page.getByRole('button', { name: 'Professional Plan Required to Upload Custom Data' }),
  ).toBeDisabled();
  await expect(page.getByText('No files uploaded yet')).toBeVisible();
  await expectNoWiderThanScreen(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
});

test('files of a folder and of an archive are uploaded, downloaded unchanged, converted, reviewed and deleted', async ({
  page,
}, testInfo) => {
  const mark = randomBytes(4).toString('hex');
  const donor = `Zellen "ä" ${mark}`;
  const study = testInfo.outputPath('study');
  const folder = join(study, donor, 'outs', 'filtered_feature_bc_matrix');
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'matrix.mtx'),
    '%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 1 3\n2 2 4\n',
  );
  const barcodes = 'AAAC-1\nAAAG-1\n';
  await writeFile(join(folder, 'barcodes.tsv'), barcodes);
  await writeFile(join(folder, 'features.tsv'), 'ENSG1\tCD3D\nENSG2\tCD8A\n');
  const sample = `S${mark}`;
  const packed = testInfo.outputPath('GSE1_RAW.tar.gz');
  await mkdir(testInfo.outputPath(sample));
  await writeFile(testInfo.outputPath(sample, `unclear ${mark}.csv`), await readFile(unclearTable));
  await writeFile(testInfo.outputPath(sample, 'barcodes.tsv'), barcodes);
  await writeFile(testInfo.outputPath(sample, 'README.md'), 'Of a sample.');
  await promisify(execFile)('tar', ['-czf', packed, '-C', testInfo.outputDir, sample]);

  await openUploads(page);
  const choosing = page.waitForEvent('filechooser');
  // By keyboard: the area that takes files is above nothing.
  await page.getByRole('button', { name: 'Choose a folder' }).press('Enter');
  await (await choosing).setFiles(study);
  const chosen = page.getByRole('list', { name: 'Chosen files' });
  await expect(chosen.getByRole('listitem')).toHaveCount(3);
  await page.getByLabel('Choose files').setInputFiles(packed);
  await expect(chosen.getByRole('listitem')).toHaveCount(5);
  await expect(page.getByText(`files can be uploaded: ${sample}/README.md.`, { exact: false })).toBeVisible();
  await expectAccessible(page, page.getByRole('main'));
  await page.getByRole('button', { name: `Remove ${sample}_barcodes.tsv` }).click();
  await clickAndNotice(
    page,
    page.getByRole('button', { name: 'Upload 4 Files' }),
    'File uploaded successfully',
  );

  const list = page.getByRole('list', { name: 'Your files' });
  const boxes = ['barcodes', 'features', 'matrix'].map((part) =>
    list.getByRole('checkbox', { name: `Select ${donor}_${part}` }),
  );
  const table = fileRow(page, `unclear ${mark}.csv`);
  // Each that arrives moves those before it: nobody ticks a list that still moves.
  for (const box of boxes) await expect(box).toBeVisible();
  await expect(table).toContainText('Question: where are the genes of this table?');
  for (const box of boxes) await box.check();
  await expect(page.getByLabel('Name of the new file')).toHaveValue(donor);
  await expectAccessible(page);
  // One trio fits together whatever came first.
  await page.getByRole('button', { name: 'Convert to H5AD' }).click();
  await table.getByRole('button', { name: 'In columns' }).click();

  const row = fileRow(page, `${donor}_barcodes.tsv`);
  await expect(row).toContainText(`${Buffer.byteLength(barcodes)} Bytes`);
  const file = await downloaded(page, () => row.getByRole('button', { name: /^Download/ }).click());
  expect(file.name).toMatch(new RegExp(`^Zellen ["_]ä["_] ${mark}_barcodes\\.tsv$`));
  expect(file.bytes.toString()).toBe(barcodes);

  await expect(table).toContainText('40 cells × 60 genes');
  const convertedRow = fileRow(page, `${donor}.h5ad`);
  await expect(convertedRow).toContainText('2 cells × 2 genes');
  for (const one of [...boxes, convertedRow.getByRole('checkbox'), table.getByRole('checkbox')])
    await one.check();
  await page.getByRole('button', { name: 'Delete 5 files' }).click();
  const question = page.getByRole('alertdialog', { name: 'Are you sure you want to delete these 5 files?' });
  await expectAccessible(page, question);
  await question.getByRole('button', { name: 'Delete 5 files' }).click();
  await expect(page.getByText('5 files deleted successfully')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: /^Your Files \(\d+\)/ })).toBeVisible();
  // The jobs that made them are still listed.
  await expect(list.getByText(mark)).toHaveCount(0);
});

test('an upload goes on by itself after the line was cut, and after a reload with the same file', async ({
  context,
}, testInfo) => {
  // Requests that fail are errors in the console, so not the page that allows none.
  const page = await context.newPage();
  page.on('dialog', (dialog) => void dialog.accept());
  let allowed = 1;
  const offsets: number[] = [];
  await page.route(/\/upload\/resumable\/./, async (route) => {
    const request = route.request();
    if (request.method() !== 'PATCH') return route.continue();
    if (allowed === 0) return route.abort('connectionreset');
    allowed -= 1;
    offsets.push(Number(request.headers()['upload-offset']));
    return route.continue();
  });
  await openUploads(page);
  const name = `cut ${randomBytes(4).toString('hex')}`;
  const path = testInfo.outputPath(`${name}.tsv`);
  const bytes = Buffer.alloc(2.5 * chunk, 'AAACCTG-1\n');
  await writeFile(path, bytes);

  await page.getByLabel('Choose files').setInputFiles(path);
  await expect(page.getByLabel('File Name')).toHaveValue(name);
  await page.getByRole('button', { name: 'Upload File' }).click();
  await expect(page.getByText(/^Connection lost/)).toBeVisible();
  allowed = 1;
  await expect.poll(() => offsets).toEqual([0, chunk]);
  await expect(page.getByText('12.58 MB of 15.73 MB')).toBeVisible();

  const elsewhere = await context.newPage();
  await elsewhere.goto('/upload-data');
  await expect(elsewhere.getByText('Continues in another tab of this browser.')).toBeVisible();
  await elsewhere.close();

  await page.reload();
  const uploads = page.getByRole('list', { name: 'Uploads' });
  await expect(uploads.getByText(/^Interrupted/)).toBeVisible();
  await expectAccessible(page, uploads);
  allowed = Infinity;
  await uploads.getByLabel(`The file of ${name}`).setInputFiles(path);
  const row = fileRow(page, `${name}.tsv`);
  await expect(row).toContainText('15.73 MB');
  expect(offsets).toEqual([0, chunk, 2 * chunk]);

  const arrived = await downloaded(page, () => row.getByRole('button', { name: /^Download/ }).click());
  expect(Buffer.compare(arrived.bytes, bytes)).toBe(0);
});
