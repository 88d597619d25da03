import { expectAccessible, expectNoWiderThanScreen } from './support/page-checks.ts';
import { newAccount } from './support/accounts.ts';
import { type DemoAccount, expect, signIn, test } from './support/test.ts';

const breast = 'demo-breast-triple-negative.h5ad';

test('a visitor browses in columns, sees every field, and is led to the explorer', async ({ page }) => {
  await page.goto('/dataset-selector');
  await expect(page.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/auth');
  await expect(page.getByText('Recently Selected')).toBeHidden();
  await expect(page.getByText('Browse Custom Files')).toBeHidden();
  // The first dataset is shown before one is chosen.
  await expect(page.getByRole('link', { name: 'Explore Dataset' })).toHaveAttribute(
    'href',
    /^\/explorer\?disease=Breast\+Cancer&dataset=demo-/,
  );

  // All by keyboard.
  await page.getByRole('button', { name: 'Breast Cancer' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Triple-negative (1 dataset)' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Breast Cancer Datasets' })).toBeVisible();
  await page.getByRole('button', { name: new RegExp(breast) }).focus();
  await page.keyboard.press('Space');

  const preview = page.getByRole('region', { name: 'Dataset Preview' });
  for (const field of [
    'GSE Accession Number',
    'Patient Count',
    'Lymph Node Status',
    'Disease Type',
    'Age Group',
  ])
    await expect(preview.getByRole('term').filter({ hasText: field })).toBeVisible();
  const umap = preview.getByRole('img', { name: /^UMAP of/ });
  await expect(umap).toBeVisible();
  await expect.poll(() => umap.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(100);
  await expect(preview.getByText('Simulated', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByRole('link', { name: 'Explore Dataset' })).toHaveAttribute(
    'href',
    `/explorer?disease=Breast+Cancer&dataset=${breast}`,
  );
});

test('the catalogue is narrowed by keyboard, searched for a gene, and found again by its address', async ({
  page,
}) => {
  await page.goto('/dataset-selector');
  const filters = page.getByRole('region', { name: 'Filters' });
  await filters.getByRole('button', { name: 'Cell type' }).press('Enter');
  const values = page.getByRole('dialog', { name: 'Filter by Cell type' });
  await values.getByRole('checkbox', { name: /^B cell/ }).press('Space');
  await expect(filters.getByRole('status')).toHaveText(/^\d of \d datasets$/);
  await expectAccessible(page, values);
  await page.keyboard.press('Escape');
  await expect(filters.getByRole('button', { name: /^Cell type/ })).toBeFocused();

  await page.getByRole('searchbox').fill('lung cd79a');
  const matches = page.getByRole('region', { name: 'Datasets matching “lung cd79a” (1)' });
  await expect(matches.getByText(/^CD79A in [\d,]+ cells, [\d.]+ %$/)).toBeVisible();
  await expect(page).toHaveURL(/\?filter\.cell-type=B\+cell&search=lung\+cd79a$/);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await expect(matches).toBeVisible();
  await page.getByRole('button', { name: 'Filters (1)' }).click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect(page).toHaveURL(/\?search=lung\+cd79a$/);
});

test('in steps, on the screens of a tablet and of a phone; the choice is remembered', async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  await page.goto('/dataset-selector');
  await expect(page.getByRole('heading', { name: 'Step 1: Browse by Disease' })).toBeVisible();
  const refreshed = page.waitForResponse(/dataset_metadata/);
  await page.getByRole('button', { name: 'Refresh diseases' }).click();
  expect((await refreshed).ok()).toBe(true);
  await page.getByRole('button', { name: 'Lung Cancer' }).click();
  await page
    .getByRole('button', { name: /\(1 dataset\)$/ })
    .first()
    .click();
  await expect(page.getByRole('heading', { name: 'Step 2: Select Dataset' })).toBeVisible();
  await expectNoWiderThanScreen(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(page);
  await page.getByRole('button', { name: /demo-/ }).click();
  await expect(page.getByRole('heading', { name: 'Step 3: Dataset Preview' })).toBeVisible();
  await expectAccessible(page, page.getByRole('main'));
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Step 2: Select Dataset' })).toBeVisible();
  await page
    .getByRole('navigation', { name: 'Steps' })
    .getByRole('button', { name: /Step 1/ })
    .click();
  await expectAccessible(page, page.getByRole('main'));

  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(page.getByRole('heading', { name: 'Browse by Disease', exact: true })).toBeVisible();
  await page.getByRole('radio', { name: 'Steps' }).click();
  await page.reload();
  await expect(page.getByRole('heading', { name: /^Step/ })).toBeVisible();
});

test('what was explored is listed first, and opens the explorer again', async ({ page }) => {
  await signIn(page, await newAccount());
  await expect(page.getByText('The datasets you explore will be listed here.')).toBeVisible();
  await page.goto(`/explorer?disease=Breast+Cancer&dataset=${breast}`);
  await expect(page.getByRole('heading', { name: 'Image Library' })).toBeVisible();
  await page.goto('/dataset-selector');
  const recent = page.getByRole('region', { name: 'Recently Selected' }).getByRole('link');
  await expect(recent).toHaveAttribute('href', `/explorer?disease=Breast+Cancer&dataset=${breast}`);
  await expect(recent.getByText('Just now')).toBeVisible();
  await expectAccessible(page, recent);
});

test('own h5ad files are listed, each opening the explorer; without any the way to upload', async ({
  page,
  request,
}) => {
  await signIn(page, await newAccount());
  const card = page.getByRole('region', { name: 'Browse Custom Files' });
  await expect(card.getByText('No H5AD files uploaded yet')).toBeVisible();
  await expect(card.getByRole('link', { name: 'Upload Files' })).toHaveAttribute('href', '/upload-data');
  await page.evaluate(() => localStorage.clear());

  const { demoAccounts, publishableKey } = (await (await request.get('/config.json')).json()) as {
    demoAccounts: DemoAccount[];
    publishableKey: string;
  };
  const professional = demoAccounts.find(({ tier }) => tier === 'professional');
  if (!professional) throw new Error('the server shows no professional demo account');
  const token = await request.post('/auth/v1/token?grant_type=password', {
    headers: { apikey: publishableKey },
    data: { email: professional.email, password: professional.password },
  });
  const session = (await token.json()) as { access_token: string; user: { id: string } };
  const rows = '/rest/v1/user_files';
  const headers = { apikey: publishableKey, authorization: `Bearer ${session.access_token}` };
  const name = `Listed ${Date.now()}`;
  const added = await request.post(rows, {
    headers: { ...headers, prefer: 'return=representation' },
    data: {
      user_id: session.user.id,
      file_name: name,
      original_filename: 'two-donors.h5ad',
      description: 'Two donors',
      file_size: 5_505_024,
      mime_type: 'application/octet-stream',
      file_path: `${session.user.id}/${Date.now()}_listed.h5ad`,
    },
  });
  expect(added.status(), await added.text()).toBe(201);
  const [row] = (await added.json()) as [{ id: string }];
  try {
    await signIn(page, professional);
    const link = card.getByRole('link').filter({ hasText: name });
    await expect(link).toContainText('two-donors.h5ad');
    await expect(link).toContainText('5.51 MB');
    await expect(link).toHaveAttribute(
      'href',
      `/explorer?customFileId=${row.id}&customFileName=${name.replace(' ', '+')}`,
    );
    await expectAccessible(page, card);
  } finally {
    await request.delete(`${rows}?id=eq.${row.id}`, { headers });
  }
});
