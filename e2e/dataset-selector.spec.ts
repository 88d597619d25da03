import { expectAccessible, expectNoWiderThanScreen } from './support/page-checks.ts';
import { sessionOf, signInAs } from './support/accounts.ts';
import { demoAccount, expect, test } from './support/test.ts';

const breast = 'demo-breast-triple-negative.h5ad';

test('a visitor browses by keyboard, sees every field and the picture, narrows the catalogue, searches it for a gene, and finds both again by the address', async ({
  page,
}) => {
  await page.goto('/dataset-selector');
  // The first dataset is shown before one is chosen.
  await expect(page.getByRole('link', { name: 'Explore Dataset' })).toHaveAttribute(
    'href',
    /^\/explorer\?disease=Breast\+Cancer&dataset=demo-/,
  );
  await page.getByRole('button', { name: 'Breast Cancer' }).press('Enter');
  await page.getByRole('button', { name: 'Triple-negative (1 dataset)' }).press('Enter');
  await page.getByRole('button', { name: new RegExp(breast) }).press('Space');
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
  await expect.poll(() => umap.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(100);
  await expect(page.getByRole('link', { name: 'Explore Dataset' })).toHaveAttribute(
    'href',
    `/explorer?disease=Breast+Cancer&dataset=${breast}`,
  );

  const filters = page.getByRole('region', { name: 'Filters' });
  await filters.getByRole('button', { name: 'Cell type' }).press('Enter');
  const values = page.getByRole('dialog', { name: 'Filter by Cell type' });
  await values.getByRole('checkbox', { name: /^Epithelial/ }).press('Space');
  await expect(filters.getByRole('status')).toHaveText('5 of 6 datasets');
  await expectAccessible(page, values);
  await page.keyboard.press('Escape');
  await expect(filters.getByRole('button', { name: /^Cell type/ })).toBeFocused();

  await page.getByRole('searchbox').fill('lung cd79a');
  const matches = page.getByRole('region', { name: 'Datasets matching “lung cd79a” (1)' });
  await expect(matches.getByText(/^CD79A in [\d,]+ cells, [\d.]+ %$/)).toBeVisible();
  const shown = () => new URL(page.url()).searchParams;
  await expect.poll(() => shown().get('search')).toBe('lung cd79a');
  expect(shown().get('filter.cell-type')).toBe('Epithelial');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  const steps = page.getByRole('navigation', { name: 'Steps' });
  await steps.getByRole('button', { name: /Step 1/ }).click();
  await expect(matches).toBeVisible();
  await page.getByRole('button', { name: 'Filters (1)' }).click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect.poll(() => shown().get('filter.cell-type')).toBeNull();
});

test('in steps, on the screens of a tablet and of a phone, the arrows of the browser lead back', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  await page.goto('/dataset-selector');
  await expect(page.getByRole('heading', { name: 'Step 1: Browse by Disease' })).toBeVisible();
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
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(page.getByRole('heading', { name: 'Browse by Disease', exact: true })).toBeVisible();
});

test('own h5ad files are listed, each opening the explorer, below what was explored', async ({
  page,
  request,
}) => {
  const { publishableKey } = (await (await request.get('/config.json')).json()) as { publishableKey: string };
  const stored = await sessionOf(await demoAccount(request, 'professional'));
  const session = JSON.parse(stored) as { access_token: string; user: { id: string } };
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
    await signInAs(page, { session: stored });
    await page.addInitScript(
      (recent) => localStorage.setItem('cellfolio:recent-datasets', recent),
      JSON.stringify([{ disease: 'Breast Cancer', dataset: breast, timestamp: Date.now() }]),
    );
    await page.goto('/dataset-selector');
    const recent = page.getByRole('region', { name: 'Recently Selected' });
    await expect(recent.getByRole('link')).toHaveAttribute(
      'href',
      `/explorer?disease=Breast+Cancer&dataset=${breast}`,
    );
    await expectAccessible(page, recent);
    const card = page.getByRole('region', { name: 'Browse Custom Files' });
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
