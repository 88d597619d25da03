import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { datasetAnalysis, json } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';
import type { ExplorerFake } from './explorer.fixture.ts';
import { explorerFake, filterPreviewAnswer, here, paths, subsetRow } from './explorer.fixture.ts';

let fake: ExplorerFake;
beforeEach(() => {
  fake = explorerFake({ unlabelled_cells: 20 });
});

async function opened(...titles: string[]) {
  const app = renderApp(here, fake);
  await screen.findByText('700 cells active');
  for (const title of titles) await app.user.click(screen.getByRole('button', { name: title }));
  return app;
}
async function openedWithGene() {
  const app = await opened('Manage Cell Subsets');
  await app.user.click(screen.getByRole('checkbox', { name: 'Gene' }));
  await app.user.type(screen.getByRole('combobox', { name: 'Filter by gene' }), 'CST3,CD3D{Enter}');
  await app.user.click(screen.getByRole('radio', { name: 'Percentile of expression' }));
  return app;
}

describe('the form of a subset', () => {
  test('says what its filter keeps before it is applied, with a caution; offers percentiles among expressing cells, and saves the choice', async () => {
    const { user } = await openedWithGene();
    expect(
      await screen.findByText('The subset would have 630 of 700 cells, 20 without a cell type.'),
    ).toBeVisible();
    const part = within(screen.getByRole('region', { name: 'Gene filter' }));
    const genes = within(part.getByRole('list', { name: 'Gene of the filter' })).getAllByRole('listitem');
    expect(genes.map(({ textContent }) => textContent)).toEqual(['CD3D']);
    const minimum = part.getByLabelText('Minimum percentile');
    expect(minimum).toHaveValue(1);
    expect(minimum).toHaveAttribute('max', '50');
    expect(minimum).toHaveAttribute('step', '0.1');
    expect(part.getByLabelText('Maximum percentile')).toHaveAttribute('max', '99');
    expect(part.getByText('Keeps 630 of 700 cells (90.0 %) on its own.')).toBeVisible();
    expect(part.getByText('Keeps values from 0 to 0.')).toBeVisible();
    expect(part.getByText('0: 90.0 %')).toBeVisible();
    expect(
      part.getByRole('img', {
        name: 'Expression of CD3D in all cells in 700 cells: 90.0 % are 0, the rest from 0.5 to 3.5. The filter keeps 630.',
      }),
    ).toBeVisible();
    expect(screen.getByText('Percentiles 1 to 50 of CD3D are both 0.')).toBeVisible();
    expect(fake.sent(paths.filter)).toHaveLength(1);
    expect(fake.subsets).toHaveLength(0);
    expect(screen.getByRole('radio', { name: 'All cells, zeros included' })).toBeChecked();
    fake.answer(paths.preview, () =>
      json(filterPreviewAnswer({ cell_count: 35, unlabelled_cells: 0, warnings: [] })),
    );
    await user.click(screen.getByRole('radio', { name: 'Expressing cells (above 0)' }));
    expect(await screen.findByText('The subset would have 35 of 700 cells.')).toBeVisible();
    expect(screen.queryByText('Percentiles 1 to 50 of CD3D are both 0.')).toBeNull();
    expect(fake.sent(paths.preview).at(-1)).toMatchObject({ gene: { name: 'CD3D', among: 'expressing' } });
    await user.type(screen.getByLabelText('Subset Group Name'), 'High');
    await user.click(screen.getByRole('button', { name: 'Create Subset' }));
    await screen.findByText('Subset Created');
    expect(fake.subsets[0]).toMatchObject({
      filter_config: {
        geneFilter: { among: 'expressing' },
        api_payload: { gene: { among: 'expressing' } },
      },
    });
    await waitFor(() =>
      expect(fake.sent(paths.filter).at(-1)).toMatchObject({ gene: { among: 'expressing' } }),
    );
  });

  test('keeps groups of one’s own annotations like values of a field', async () => {
    const { version } = datasetAnalysis();
    fake.answer('/api/datasets/tumour_one/annotations', () =>
      json({
        version,
        annotations: [
          {
            id: '8b1f6c1e-5b7e-4a0e-9d52-1f3c1b7a9a10',
            name: 'walked',
            revision: 1,
            version,
            groups: [
              { name: 'Mine', colour: '#112233', cells: 600 },
              { name: 'Yours', colour: '#445566', cells: 80 },
            ],
            unlabelled: 20,
            history: [],
          },
        ],
        numbers: [],
      }),
    );
    const { user } = await opened('Manage Cell Subsets');
    await user.click(screen.getByRole('checkbox', { name: 'Metadata' }));
    await user.click(await screen.findByRole('checkbox', { name: 'Walked' }));
    expect(
      screen.getByText('Missing (20): cells without a value, always excluded by this filter.'),
    ).toBeVisible();
    await user.click(screen.getByRole('checkbox', { name: /^Mine,/ }));
    await waitFor(() =>
      expect(fake.sent(paths.preview).at(-1)).toMatchObject({ patient_metadata: { walked: ['Mine'] } }),
    );
  });

  test('says the cells of each value and those without one, and what each filter keeps by itself beside what all keep together', async () => {
    fake = explorerFake({
      patient_metadata: { stage: ['I', 'IIIA'] },
      patient_metadata_counts: { stage: [188, 500] },
    });
    fake.answer(paths.preview, () =>
      json(
        filterPreviewAnswer({
          cell_count: 60,
          unlabelled_cells: 0,
          filter_counts: { cell_type: 300, patient_metadata: 120 },
          histograms: {},
          thresholds: {},
          warnings: [],
        }),
      ),
    );
    const { user } = await opened('Manage Cell Subsets');
    await user.click(screen.getByRole('checkbox', { name: 'Cell Type' }));
    await user.click(screen.getByRole('checkbox', { name: /^t-cell/ }));
    await user.click(screen.getByRole('checkbox', { name: 'Metadata' }));
    await user.click(screen.getByRole('checkbox', { name: 'Stage' }));
    expect(screen.getByRole('checkbox', { name: /^I,\s*188\s*cells$/ })).toBeVisible();
    expect(
      screen.getByText('Missing (12): cells without a value, always excluded by this filter.'),
    ).toBeVisible();
    await user.click(screen.getByRole('checkbox', { name: /^IIIA,\s*500\s*cells$/ }));
    expect(await screen.findByText('The subset would have 60 of 700 cells.')).toBeVisible();
    const part = (name: string) => within(screen.getByRole('region', { name }));
    expect(part('Cell Type filter').getByText('Keeps 300 of 700 cells (42.9 %) on its own.')).toBeVisible();
    expect(part('Metadata filter').getByText('Keeps 120 of 700 cells (17.1 %) on its own.')).toBeVisible();
    expect(fake.subsets).toEqual([]);
  });

  test('says nothing of the cells of values where the server does not count', async () => {
    fake = explorerFake({ patient_metadata: { stage: ['I', 'IIIA'] } });
    const { user } = await opened('Manage Cell Subsets');
    await user.click(screen.getByRole('checkbox', { name: 'Metadata' }));
    await user.click(screen.getByRole('checkbox', { name: 'Stage' }));
    expect(screen.getByRole('checkbox', { name: 'IIIA' })).toBeVisible();
    expect(screen.queryByText(/Missing/)).toBeNull();
  });

  test('a failed count shows its reason and is tried again; unfilled filters are not counted, and the form says so', async () => {
    fake.answer(paths.preview, () => json({ code: 'internal_error', message: 'Boom' }, 500));
    const { user } = await openedWithGene();
    expect(await screen.findByText(/Failed to count the cells of the filter: Boom/)).toBeVisible();
    fake.answer(paths.preview, () => json(filterPreviewAnswer({ cell_count: 0 })));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('No cell of 700 passes: this subset cannot be applied.')).toBeVisible();
    await user.click(screen.getByRole('checkbox', { name: 'Cell Type' }));
    expect(await screen.findByText('Not counted: 1 filter without a choice.')).toBeVisible();
    expect(screen.getByText('20 cells without a cell type: always excluded by this filter.')).toBeVisible();
    await user.click(screen.getByRole('checkbox', { name: 'Signature' }));
    expect(screen.getByText('Not counted: 2 filters without a choice.')).toBeVisible();
    expect(screen.getByText(/Scored on all 700 cells of the dataset/)).toBeVisible();
  });
});

describe('the cells that are active', () => {
  test('those without a cell type are counted beside the others', async () => {
    // Where the count on load fails, what the dataset said on opening counts.
    fake.answer(paths.filter, () => json({}, 500));
    await opened('Cell Type Visualization');
    expect(screen.getByText('20 active cells without a cell type: in none of these.')).toBeVisible();
    expect(screen.getByText('20 active cells without a cell type.')).toBeVisible();
  });

  test('a subset whose range holds ties says so, and a signature says which cells it is scored on', async () => {
    fake.subsets.push(subsetRow());
    fake.answer(paths.filter, ({ body }) => {
      const { subset_group_name: name } = body as { subset_group_name: string };
      return json({
        cell_count: name === 'Default' ? 700 : 630,
        cell_type_counts: {},
        unlabelled_cells: 0,
        kept: { cells: 630, version: '1', annotations: [] },
        subset_group_name: name,
        not_found_genes: [],
        warnings: name === 'Default' ? [] : [{ code: 'range-holds-ties', message: 'It keeps all zeros.' }],
      });
    });
    const { user } = await opened('Signature Visualization');
    expect(screen.queryByText(/as scanpy scores/)).toBeNull();
    await user.click(screen.getByRole('combobox', { name: 'Cell subset' }));
    await user.click(await screen.findByRole('option', { name: 'T cells' }));
    expect(await screen.findByText('It keeps all zeros.')).toBeVisible();
    expect(screen.getByText(/^Scored on the 630 active of 700 cells/)).toBeVisible();
  });

  test('a subset that keeps other cells than when it was saved is reported, and saved with the current ones', async () => {
    fake.subsets.push(subsetRow());
    const now = { cells: 33, version: '2', annotations: [] };
    const message = '“T cells” had 187 cells when it was saved; 33 now.';
    fake.answer(paths.filter, ({ body }) => {
      const { subset_group_name: name, kept: keptCells } = body as {
        subset_group_name: string;
        kept?: object;
      };
      const isOther = name !== 'Default' && keptCells === undefined;
      return json({
        cell_count: 33,
        cell_type_counts: {},
        unlabelled_cells: 0,
        kept: now,
        subset_group_name: name,
        not_found_genes: [],
        warnings: isOther ? [{ code: 'filter-of-other-version', message }] : [],
      });
    });
    const { user } = await opened();
    await user.click(screen.getByRole('combobox', { name: 'Cell subset' }));
    await user.click(await screen.findByRole('option', { name: 'T cells' }));
    expect(await screen.findByText(message)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Save with these 33 cells' }));
    await waitFor(() => expect(screen.queryByText(message)).toBeNull());
    expect(fake.subsets[0]).toMatchObject({ filter_config: { api_payload: { kept: now } } });
  });
});

test('a cell state with too few genes is scored where its user insists, and its cautions stand below', async () => {
  const { user } = await opened('Cell State Visualization');
  const scored = { code: 'few-genes', message: 'HYPOXIA is scored with 2 of its 60 genes.' };
  fake.answer(paths.cellState, ({ body }) => {
    const { cell_state, minimum_genes = 3 } = body as { cell_state: string; minimum_genes?: number };
    if (minimum_genes > 2) {
      const details = { found_genes: ['CA12', 'GPI'], set_genes: 60, minimum_genes };
      return json({ code: 'too_few_genes', message: 'Too few genes of HYPOXIA.', details }, 422);
    }
    return json({
      plots: [],
      found_genes: ['CA12', 'GPI'],
      not_found_genes: ['VEGFA'],
      control_gene_count: 50,
      warnings: [scored],
      cell_state,
      minimum_genes,
      library: {
        name: 'MSigDB_Hallmark_2020',
        source: 'built-in',
        title: 'MSigDB Hallmark 7.0',
        release: 'hallmark gene sets of MSigDB 7.0',
        licence: 'CC BY 4.0',
        citation: 'Liberzon et al. 2015',
      },
    });
  });
  await user.click(screen.getByRole('combobox', { name: 'Cell state' }));
  await user.click(await screen.findByRole('option', { name: 'HYPOXIA' }));
  await user.click(screen.getByRole('button', { name: 'Visualize Cell State Filter' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'The dataset has 2 of the 60 genes of HYPOXIA: CA12, GPI.',
  );
  await user.click(screen.getByRole('button', { name: 'Score with 2 genes' }));
  expect(await screen.findByText(scored.message)).toBeVisible();
  expect(fake.sent(paths.cellState)).toEqual([
    { cell_state: 'HYPOXIA', violin_plot: false },
    { cell_state: 'HYPOXIA', violin_plot: false, minimum_genes: 2 },
  ]);
});

describe('a subset of cells that were selected on the map', () => {
  const cells = { version: '1', places: 'AAECAw' };
  const island = subsetRow({
    subset_name: 'Island',
    filter_config: {
      activeFilterTypes: ['celltype', 'cells'],
      cellTypeFilter: { cellTypes: ['t-cell'] },
      cellsFilter: { count: 1234 },
      api_payload: { cells_filter: true, cells },
    },
  });
  async function modifying() {
    fake.subsets.push({ ...island });
    const app = await opened('Manage Cell Subsets');
    await app.user.click(screen.getByRole('combobox', { name: 'Saved subset' }));
    await app.user.click(
      await screen.findByRole('option', { name: /^Island\s*· 1,234 cells selected on the map$/ }),
    );
    await app.user.click(screen.getByRole('button', { name: 'Modify Subset' }));
    await screen.findByText('Subset Loaded');
    return app;
  }

  test('is listed with their number, and renamed without losing them', async () => {
    const { user } = await modifying();
    const part = within(screen.getByRole('region', { name: 'Map Selection filter' }));
    expect(part.getByText('1,234 cells selected on the map')).toBeVisible();
    const name = screen.getByLabelText('Subset Group Name');
    await user.clear(name);
    await user.type(name, 'Peninsula');
    await user.click(screen.getByRole('button', { name: 'Update Subset' }));
    await waitFor(() =>
      expect(fake.sent(paths.filter).at(-1)).toMatchObject({
        subset_group_name: 'Peninsula',
        cell_type: ['t-cell'],
        cells_filter: true,
        cells,
      }),
    );
    expect(fake.subsets[0]).toMatchObject({
      subset_name: 'Peninsula',
      filter_config: { cellsFilter: { count: 1234 }, api_payload: { cells } },
    });
  });

  test('is a part of the form that can be removed, and is not offered without cells', async () => {
    const { user } = await modifying();
    await user.click(screen.getByRole('button', { name: 'Remove' }));
    expect(screen.queryByRole('region', { name: 'Map Selection filter' })).toBeNull();
    expect(screen.queryByRole('checkbox', { name: 'Map Selection' })).toBeNull();
    expect(screen.getByRole('region', { name: 'Cell Type filter' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Update Subset' }));
    await waitFor(() =>
      expect(fake.sent(paths.filter).at(-1)).toMatchObject({ cell_type_filter: true, cells_filter: false }),
    );
    expect(JSON.stringify(fake.subsets[0])).not.toContain('AAECAw');
  });
});
