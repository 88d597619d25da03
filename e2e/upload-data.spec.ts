import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { listExtensions } from '@cellfolio/contract';
import { clickAndNotice } from './support/explorer.ts';
import { expectAccessible, expectNoWiderThanScreen } from './support/page-checks.ts';
import { expect, signIn, test } from './support/test.ts';
import { deleteFile, fileRow, openUploads } from './support/upload-page.ts';

const chunk = 6 * 1024 * 1024;

const tab = (name: string, text: string) => ({
  name,
  mimeType: 'text/tab-separated-values',
  buffer: Buffer.from(text),
});

test('only who is signed in sees the page, and only the Professional plan may upload', async ({
  page,
  account,
}) => {
  await page.goto('/upload-data');
  await expect(page).toHaveURL(/\/auth$/);
  await signIn(page, account);
  await page.goto('/upload-data');
  await expect(
    page.getByRole('button', { name: 'Professional Plan Required to Upload Custom Data' }),
  ).toBeDisabled();
  await expect(page.getByText('No files uploaded yet')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Upgrade Now' })).toHaveAttribute('href', '/pricing');
  await expectNoWiderThanScreen(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
});

test('files go up, are listed, come back as they were, and are deleted', async ({ page }) => {
  await openUploads(page);
  const mark = randomBytes(4).toString('hex');
  const barcodes = `AAACCTG-1\tµ "${mark}"\n`;
  await page.getByLabel('Choose files').setInputFiles([
    {
      name: `counts <${mark}>.mtx`,
      mimeType: '',
      buffer: Buffer.from('%%MatrixMarket matrix\n1 1 1\n1 1 1\n'),
    },
    tab(`Zellen "ä" ${mark}.tsv`, barcodes),
    tab(`features ${mark}.tsv`, 'ENSG1\tCD3D\n'),
    tab('notes.txt', 'no'),
  ]);
  await expect(page.getByText(`Only ${listExtensions('and')} files can be uploaded.`)).toBeVisible();
  await page.getByLabel('Description').fill('Three files\nof one sample');
  await clickAndNotice(
    page,
    page.getByRole('button', { name: 'Upload 3 Files' }),
    'File uploaded successfully',
  );
  const list = page.getByRole('list', { name: 'Your files' });
  const boxes = [`counts <${mark}>`, `Zellen "ä" ${mark}`, `features ${mark}`].map((name) =>
    list.getByRole('checkbox', { name: `Select ${name}` }),
  );
  // Each that arrives moves those before it: nobody ticks a list that still moves.
  for (const box of boxes) await expect(box).toBeVisible();
  for (const box of boxes) await box.check();
  await expect(page.getByRole('button', { name: 'Convert to H5AD' })).toBeVisible();
  await expectAccessible(page);

  const row = fileRow(page, `Zellen "ä" ${mark}.tsv`);
  await expect(row).toContainText('metadata');
  await expect(row).toContainText(`${Buffer.byteLength(barcodes)} Bytes`);
  const downloading = page.waitForEvent('download');
  await row.getByRole('button', { name: /^Download/ }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(new RegExp(`^Zellen ["_]ä["_] ${mark}\\.tsv$`));
  expect(await readFile(await download.path(), 'utf8')).toBe(barcodes);

  for (const name of [`counts <${mark}>.mtx`, `Zellen "ä" ${mark}.tsv`, `features ${mark}.tsv`]) {
    await deleteFile(page, fileRow(page, name));
  }
  await page.reload();
  await expect(page.getByRole('heading', { name: /^Your Files/ })).toBeVisible();
  await expect(page.getByText(mark)).toHaveCount(0);
});

test('a folder of samples goes up under the names of its folders, and its matrices are converted at once and can be combined', async ({
  page,
}, testInfo) => {
  await openUploads(page);
  const mark = randomBytes(4).toString('hex');
  const [first, second] = [`donor_A${mark}`, `donor_B${mark}`];
  const study = testInfo.outputPath('study');
  for (const donor of [first, second]) {
    const folder = join(study, donor, 'outs', 'filtered_feature_bc_matrix');
    await mkdir(folder, { recursive: true });
    await writeFile(
      join(folder, 'matrix.mtx'),
      '%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 1 3\n2 2 4\n',
    );
    await writeFile(join(folder, 'barcodes.tsv'), 'AAAC-1\nAAAG-1\n');
    await writeFile(join(folder, 'features.tsv'), 'ENSG1\tCD3D\nENSG2\tCD8A\n');
  }
  const choosing = page.waitForEvent('filechooser');
  // By keyboard: the area that takes files is above nothing.
  await page.getByRole('button', { name: 'Choose a folder' }).press('Enter');
  await (await choosing).setFiles(study);
  const chosen = page.getByRole('list', { name: 'Chosen files' });
  await expect(chosen.getByRole('listitem')).toHaveCount(6);
  await expectAccessible(page, page.getByRole('main'));
  await clickAndNotice(
    page,
    page.getByRole('button', { name: 'Upload 6 Files' }),
    'File uploaded successfully',
  );
  const names = ['barcodes', 'features', 'matrix'].map((part) => `${first}_${part}`);
  const list = page.getByRole('list', { name: 'Your files' });
  const boxes = names.map((name) => list.getByRole('checkbox', { name: `Select ${name}` }));
  await expect(list.getByRole('checkbox', { name: `Select ${second}_matrix` })).toBeVisible();
  for (const box of boxes) await expect(box).toBeVisible();
  for (const box of boxes) await box.check();
  await expect(page.getByLabel('Name of the new file')).toHaveValue(first);
  // One trio fits together whatever came first.
  await expect(page.getByRole('button', { name: 'Convert to H5AD' })).toBeEnabled({ timeout: 60_000 });
  await list.getByRole('checkbox', { name: `Select ${second}_matrix` }).check();
  await expect(page.getByText(`${second}: barcodes and features missing.`)).toBeVisible();
  for (const part of ['barcodes', 'features'])
    await list.getByRole('checkbox', { name: `Select ${second}_${part}` }).check();
  await page.getByRole('button', { name: 'Convert 2 matrices' }).click({ timeout: 60_000 });
  await expect(page.getByText(`Converting ${first}, ${second} to H5AD format`)).toBeVisible();
  await page.getByRole('button', { name: 'Combine 2 samples' }).click({ timeout: 60_000 });
  const dialog = page.getByRole('dialog', { name: 'Combine samples into one dataset' });
  for (const donor of [first, second])
    await expect(dialog.getByRole('textbox', { name: `Sample of ${donor}` })).toHaveValue(donor);
  await page.keyboard.press('Escape');

  for (const donor of [first, second])
    for (const part of ['barcodes', 'features', 'matrix'])
      await list.getByRole('checkbox', { name: `Select ${donor}_${part}` }).check();
  await page.getByRole('button', { name: 'Delete 8 files' }).click();
  const question = page.getByRole('alertdialog', { name: 'Are you sure you want to delete these 8 files?' });
  await expect(question).toContainText(`the datasets built from ${second}.h5ad, ${first}.h5ad`);
  await expectAccessible(page, question);
  await question.getByRole('button', { name: 'Delete 8 files' }).click();
  await expect(page.getByText('8 files deleted successfully')).toBeVisible();
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

  const downloading = page.waitForEvent('download');
  await row.getByRole('button', { name: /^Download/ }).click();
  const arrived = await readFile(await (await downloading).path());
  expect(Buffer.compare(arrived, bytes)).toBe(0);
  await deleteFile(page, row);
});

test('the files of an archive are chosen, and what it has besides them is named', async ({ page }) => {
  const folder = await mkdtemp(join(tmpdir(), 'cellfolio-archive-'));
  try {
    await mkdir(join(folder, 'S1'));
    await writeFile(join(folder, 'S1', 'barcodes.tsv'), 'AAAC-1\nAAAG-1\n');
    await writeFile(join(folder, 'S1', 'matrix.mtx'), '%%MatrixMarket matrix coordinate integer general\n');
    await writeFile(join(folder, 'S1', 'README.md'), 'Of a sample.');
    const packed = join(folder, 'GSE1_RAW.tar.gz');
    await promisify(execFile)('tar', ['-czf', packed, '-C', folder, 'S1']);
    await openUploads(page);
    await page.getByLabel('Choose files').setInputFiles(packed);
    const chosen = page.getByRole('list', { name: 'Chosen files' });
    await expect(chosen.getByRole('listitem')).toHaveCount(2);
    await expect(chosen.getByText('S1_matrix.mtx', { exact: true })).toBeVisible();
    await expect(
      page.getByText(/Left out, as only .* files can be uploaded: S1\/README\.md\./),
    ).toBeVisible();
    await page.getByRole('button', { name: 'Take out S1_matrix.mtx' }).click();
    await page.getByRole('button', { name: 'Upload File' }).click();
    const row = fileRow(page, 'S1_barcodes.tsv');
    await expect(row).toBeVisible();
    await deleteFile(page, row);
  } finally {
    await rm(folder, { recursive: true });
  }
});
