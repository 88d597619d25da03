import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { json } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';
import { explorerFake, filterPreviewAnswer, here, paths, subsetRow } from './explorer.fixture.ts';

const treatments = ['Untreated', 'Anti-PD-1', 'Chemotherapy'];

async function opened(setUp: (fake: ReturnType<typeof explorerFake>) => void = () => {}) {
  const fake = explorerFake({ patient_metadata: { treatment: treatments } });
  fake.answer(paths.preview, ({ body }) => {
    const chosenTreatments = (body as { patient_metadata?: Record<string, string[]> }).patient_metadata?.[
      'treatment'
    ];
    const cells = chosenTreatments?.includes('Untreated')
      ? 40
      : chosenTreatments?.includes('Anti-PD-1')
        ? 30
        : 0;
    return json(filterPreviewAnswer({ cell_count: cells, warnings: [] }));
  });
  fake.answer('/api/render-figure', () => new Response('x', { headers: { 'content-type': 'image/png' } }));
  setUp(fake);
  const app = renderApp(here, fake);
  await screen.findByText('700 cells active');
  return { ...app, fake };
}
interface Sent {
  source: { subset?: { subset_group_name: string }; content: object };
  format?: string;
}
const renderedSources = (fake: ReturnType<typeof explorerFake>) =>
  fake
    .sent('/api/render-figure')
    .map((body) => body as Sent)
    .filter(({ format }) => format !== 'json')
    .map(({ source }) => source)
    .filter(({ content }) => 'gene' in content)
    .map(({ subset, content }) => [subset?.subset_group_name, content]);

test('a subset for each value of a field, and a gene drawn in each, without choosing one of them', async () => {
  const { user, fake } = await opened();
  await user.click(screen.getByRole('button', { name: 'Manage Cell Subsets' }));
  await user.click(screen.getByRole('checkbox', { name: 'Cell Type' }));
  await user.click(
    within(screen.getByRole('group', { name: 'Cell types to keep' })).getByRole('checkbox', {
      name: /t-cell/,
    }),
  );
  await user.click(screen.getByRole('checkbox', { name: 'Metadata' }));
  await user.click(screen.getByRole('checkbox', { name: 'Treatment' }));
  await user.click(screen.getByRole('checkbox', { name: 'A subset for each value' }));
  // Nothing was ticked, so all are.
  expect(screen.getByText('3 of 3 selected')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Create Subset' }));
  expect(await screen.findByText(/2 subsets saved: t-cell · Untreated, t-cell · Anti-PD-1\./)).toBeVisible();
  expect(await screen.findByText('Not saved, because no cell passes: t-cell · Chemotherapy.')).toBeVisible();
  expect(fake.subsets.map((row) => row['subset_name'])).toEqual(
    expect.arrayContaining(['t-cell · Untreated', 't-cell · Anti-PD-1']),
  );
  expect(fake.subsets).toHaveLength(2);
  // The count on load is the only choice of cells that was made.
  expect(fake.sent(paths.filter)).toHaveLength(1);

  await user.click(screen.getByRole('button', { name: 'Plot genes in each' }));
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'Search genes' })).toHaveFocus());
  expect(screen.getByText('Drawn in each of 2 subsets')).toBeVisible();
  await user.keyboard('CD3D{Enter}');
  await user.click(screen.getByRole('button', { name: 'Visualize Selected Genes (1)' }));
  const viewer = screen.getByRole('region', { name: 'Main Viewer' });
  expect(await within(viewer).findAllByRole('heading', { name: /CD3D/ })).toHaveLength(2);
  expect(renderedSources(fake)).toEqual(
    expect.arrayContaining([
      ['t-cell · Untreated', { kind: 'gene-umap', gene: 'CD3D' }],
      ['t-cell · Anti-PD-1', { kind: 'gene-umap', gene: 'CD3D' }],
    ]),
  );
  expect(within(viewer).getByText(/40 cells/)).toBeVisible();
  expect(within(viewer).getByText(/30 cells/)).toBeVisible();
  expect(fake.sent(paths.gene)).toHaveLength(0);
  expect(fake.sent(paths.filter)).toHaveLength(1);
});

test('saved subsets are chosen to draw in, and too many images are reported before any is drawn', async () => {
  const { user, fake } = await opened(({ subsets }) =>
    subsets.push(
      ...Array.from({ length: 7 }, (_, n) => subsetRow({ id: `s${n}`, subset_name: `Subset ${n}` })),
    ),
  );
  await user.click(await screen.findByText('Draw in several subsets'));
  const choice = within(screen.getByRole('group', { name: 'Saved subsets to draw in' }));
  await user.click(choice.getByRole('button', { name: 'Select all' }));
  await user.type(screen.getByRole('combobox', { name: 'Search genes' }), 'CD3D{Enter}');
  await user.click(screen.getByRole('checkbox', { name: 'Generate Expression by Cell Type Violin Plot' }));
  expect(screen.getByText('This would draw 14 images; the maximum is 12.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Visualize Selected Genes (1)' })).toBeDisabled();
  await user.click(choice.getByRole('button', { name: 'Select none' }));
  await user.click(screen.getByRole('button', { name: 'Visualize Selected Genes (1)' }));
  await waitFor(() => expect(fake.sent(paths.gene)).toHaveLength(1));
  expect(renderedSources(fake)).toEqual([]);
});

test('a subset that cannot be drawn is named, and nothing half done is kept', async () => {
  const { user, fake } = await opened((set) => {
    set.subsets.push(subsetRow({ id: 's1', subset_name: 'Odd' }));
    set.answer(paths.preview, () => json({ error: { code: 'no_cells', message: 'No cell.' } }, 400));
  });
  await user.click(await screen.findByText('Draw in several subsets'));
  await user.click(screen.getByRole('checkbox', { name: 'Odd' }));
  await user.type(screen.getByRole('combobox', { name: 'Search genes' }), 'CD3D{Enter}');
  await user.click(screen.getByRole('button', { name: 'Visualize Selected Genes (1)' }));
  expect(await screen.findByText(/Failed to draw in Odd/)).toBeVisible();
  expect(fake.images).toHaveLength(0);
});
