import type { UserFileList } from '@cellfolio/contract';
import { screen, within } from '@testing-library/react';
import { act } from 'react';
import { matrixReport, tableReport, testFile, testId, testOwnFiles } from '@/testing/own-jobs.ts';
import type { Row } from '@/testing/fake-table.ts';
import { fakeTable } from '@/testing/fake-table.ts';
import { fakeServices, json } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';

export const row = (id: string, file_name: string, original_filename: string): Row => ({
  id,
  user_id: 'ada',
  file_name,
  original_filename,
  description: null,
  file_size: 1536,
  mime_type: 'text/plain',
  file_path: `ada/1_${original_filename}`,
  created_at: '2026-01-31T12:00:00Z',
});

export const [matrixId, barcodesId, featuresId, atlasId] = [testId(1), testId(2), testId(3), testId(4)];
export const trio = [
  row(matrixId, 'Counts', 'matrix.mtx'),
  row(barcodesId, 'Cells', 'barcodes.tsv'),
  row(featuresId, 'Genes', 'features.tsv'),
];
export const atlas = row(atlasId, 'Atlas <b>', 'atlas.h5ad');

export const inspected = [
  testFile(matrixId, { report: matrixReport(1000, 10_000) }),
  testFile(barcodesId, { report: tableReport('barcodes', 10_000) }),
  testFile(featuresId, { report: tableReport('features', 1001) }),
];

export function opened(rows: Row[], own: Partial<UserFileList>, tier = 'Professional') {
  const fake = fakeServices();
  fake.answer('/functions/v1/check-subscription', () =>
    json({ subscribed: true, subscription_tier: tier, subscription_end: null }),
  );
  const table = fakeTable(fake, 'user_files', rows);
  let ownFiles = testOwnFiles(own);
  fake.answer('/api/own-files', () => json(ownFiles));
  const view = renderApp('/upload-data', fake);
  act(() => fake.auth.signIn());
  const tell = (change: Partial<UserFileList>) => {
    ownFiles = { ...ownFiles, ...change };
  };
  const posted = (path: string) =>
    fake.requests
      .filter((request) => request.method === 'POST' && request.path === path)
      .map(({ body }) => body);
  return { fake, table, tell, posted, ...view };
}

export async function fileRow(name: string) {
  const list = await screen.findByRole('list', { name: 'Your files' });
  const row = within(list)
    .getAllByRole('listitem')
    .find((item) => within(item).queryByRole('checkbox', { name: `Select ${name}` }));
  if (row === undefined) throw new Error(`no row of ${name}`);
  return within(row);
}
