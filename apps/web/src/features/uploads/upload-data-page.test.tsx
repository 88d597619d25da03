import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { act } from 'react';
import { expect, test } from 'vitest';
import { fakeTable } from '@/testing/fake-table.ts';
import type { Row } from '@/testing/fake-table.ts';
import { fakeServices, json } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';

const row = (overrides: Row): Row => ({
  id: String(overrides['file_name']),
  user_id: 'ada',
  description: null,
  file_size: 1536,
  mime_type: 'text/plain',
  file_path: `ada/1_${String(overrides['original_filename'])}`,
  created_at: '2026-01-31T12:00:00Z',
  ...overrides,
});

function opened(tier: 'Standard' | 'Professional', rows: Row[] = []) {
  const fake = fakeServices();
  fake.answer('/functions/v1/check-subscription', () =>
    json({ subscribed: true, subscription_tier: tier, subscription_end: null }),
  );
  const table = fakeTable(fake, 'user_files', rows);
  const view = renderApp('/upload-data', fake);
  act(() => fake.auth.signIn());
  return { fake, table, ...view };
}

test('without a session the page leads to /auth', async () => {
  const fake = fakeServices();
  const { address } = renderApp('/upload-data', fake);
  act(() => fake.auth.signOut());
  await waitFor(() => expect(address()).toBe('/auth'));
});

test('other plans see the notice, disabled inputs and the text of the button; the list is empty', async () => {
  const { user } = opened('Standard');
  expect(
    await screen.findByRole('button', { name: 'Professional Plan Required to Upload Custom Data' }),
  ).toBeDisabled();
  expect(screen.getByText('Professional Plan Required')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Upgrade Now' })).toHaveAttribute('href', '/pricing');
  for (const label of ['Choose files', 'File Name', 'Description']) {
    expect(screen.getByLabelText(label)).toBeDisabled();
  }
  for (const title of ['Matrix Files', 'Metadata Files', 'AnnData Files']) {
    expect(screen.getByText(title)).toBeVisible();
  }
  await user.click(screen.getByRole('button', { name: 'About the formats' }));
  const formats = within(await screen.findByRole('dialog', { name: 'About the formats' }));
  for (const content of ['Sparse count matrices', 'Barcodes and features']) {
    expect(formats.getByText(content)).toBeVisible();
  }
  await user.keyboard('{Escape}');
  expect(await screen.findByRole('heading', { name: 'Your Files (0)' })).toBeVisible();
  expect(screen.getByText('No files uploaded yet')).toBeVisible();
  expect(screen.getByText('Upload your first file above to get started!')).toBeVisible();
});

test('while the plan is loading the button says so', async () => {
  const fake = fakeServices();
  fake.answer('/functions/v1/check-subscription', () => new Promise(() => {}));
  fakeTable(fake, 'user_files');
  renderApp('/upload-data', fake);
  act(() => fake.auth.signIn());
  expect(await screen.findByRole('button', { name: 'Checking subscription...' })).toBeDisabled();
  expect(screen.queryByText('Professional Plan Required')).toBeNull();
});

test('the name is filled from the file unless there is one, and bad files are reported', async () => {
  const { user } = opened('Professional');
  const submit = await screen.findByRole('button', { name: 'Upload File' });
  await user.click(submit);
  expect(await screen.findByText('Please select a file and provide a name')).toBeVisible();
  const input = screen.getByLabelText('Choose files');
  expect(input).toHaveAttribute('accept', expect.stringMatching(/^\.mtx,\.tsv,\.h5ad,/));
  const name = screen.getByLabelText('File Name');
  await user.upload(input, new File(['AA'], 'barcodes.tsv', { lastModified: 1 }));
  await waitFor(() => expect(name).toHaveValue('barcodes'));
  // The same file again is the same file.
  await user.upload(input, new File(['AA'], 'barcodes.tsv', { lastModified: 1 }));
  await user.upload(input, new File([], 'features.tsv'));
  expect(await screen.findByText(/The file is empty/)).toBeVisible();
  expect(within(screen.getByRole('list', { name: 'Chosen files' })).getAllByRole('listitem')).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Remove barcodes.tsv' }));
  await user.type(screen.getByLabelText('File Name'), 'Mine');
  await user.upload(input, new File(['AA'], 'barcodes.tsv'));
  await screen.findByRole('list', { name: 'Chosen files' });
  expect(screen.getByLabelText('File Name')).toHaveValue('Mine');
});

test('a dropped folder goes up under its own name, and a folder without data says so', async () => {
  const { user } = opened('Professional');
  await screen.findByRole('button', { name: 'Upload File' });
  const inside = (path: string, text: string) =>
    Object.defineProperty(new File([text], path.slice(path.lastIndexOf('/') + 1)), 'webkitRelativePath', {
      value: path,
    });
  expect(screen.getByRole('button', { name: 'Choose a folder' })).toBeEnabled();
  const folder = screen.getByLabelText('Folder of files');
  await user.upload(folder, [
    inside('donor_A/outs/filtered_feature_bc_matrix/matrix.mtx', '%%MatrixMarket'),
    inside('donor_A/outs/filtered_feature_bc_matrix/barcodes.tsv', 'AA'),
    inside('donor_A/outs/filtered_feature_bc_matrix/features.tsv', 'g'),
  ]);
  const list = within(await screen.findByRole('list', { name: 'Chosen files' }));
  expect(list.getAllByRole('textbox').map((input) => (input as HTMLInputElement).value)).toEqual([
    'donor_A_barcodes',
    'donor_A_features',
    'donor_A_matrix',
  ]);
  const area = screen.getByText('Choose files').parentElement!;
  const entry = {
    isFile: false,
    isDirectory: true,
    name: 'photos',
    createReader: () => ({ readEntries: (give: (all: []) => void) => give([]) }),
  };
  fireEvent.drop(area, { dataTransfer: { items: [{ webkitGetAsEntry: () => entry }], files: [] } });
  expect(await screen.findByText('photos')).toBeVisible();
  expect(list.getAllByRole('listitem')).toHaveLength(3);
});

test('files are listed with everything known of them', async () => {
  opened('Professional', [
    row({ file_name: 'Counts', original_filename: 'matrix.MTX', description: 'Mouse <b>brain</b>' }),
    row({ file_name: 'Cells', original_filename: 'barcodes.tsv', file_size: null }),
    row({ file_name: 'Atlas', original_filename: 'atlas.h5ad' }),
    row({ file_name: 'Odd', original_filename: 'odd.bin' }),
  ]);
  expect(await screen.findByRole('heading', { name: 'Your Files (4)' })).toBeVisible();
  const rows = within(screen.getByRole('list', { name: 'Your files' })).getAllByRole('listitem');
  const texts = rows.map((item) => item.textContent.trim());
  expect(texts[0]).toBe('Countsmatrixmatrix.MTX1.54 KBtext/plainJanuary 31, 2026Mouse <b>brain</b>');
  expect(texts[1]).toContain('metadata');
  expect(texts[1]).toContain('Unknown size');
  expect(texts[2]).toContain('h5ad');
  expect(texts[3]).toContain('unknown');
});

test('deleting asks first, then takes the bytes and the row', async () => {
  const { user, fake, table } = opened('Professional', [
    row({ file_name: 'Cells', original_filename: 'barcodes.tsv' }),
  ]);
  fake.answer('/storage/v1/object/user-files', () => json([]));
  await user.click(await screen.findByRole('button', { name: 'Delete Cells' }));
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  expect(table).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Delete Cells' }));
  const question = await screen.findByRole('alertdialog', {
    name: 'Are you sure you want to delete this file?',
  });
  await user.click(within(question).getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('File deleted successfully')).toBeVisible();
  expect(await screen.findByText('No files uploaded yet')).toBeVisible();
  expect(fake.requests.find(({ path }) => path === '/storage/v1/object/user-files')?.body).toEqual({
    prefixes: ['ada/1_barcodes.tsv'],
  });
});

test('a failure is reported, and loses nothing', async () => {
  const { user, fake, table } = opened('Professional', [
    row({ file_name: 'Cells', original_filename: 'barcodes.tsv' }),
  ]);
  await user.click(await screen.findByRole('button', { name: 'Download Cells' }));
  expect(await screen.findByText('Failed to download file')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Delete Cells' }));
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('Failed to delete file')).toBeVisible();
  expect(table).toHaveLength(1);
  expect(fake.requests.some(({ method, path }) => method === 'DELETE' && path.startsWith('/rest'))).toBe(
    false,
  );
});
