import { type CellxgeneCheck, type CellxgeneChoices, curatedFields } from '@cellfolio/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { type ExplorerFake, explorerFake, here } from '@/features/explore/explorer.fixture.ts';
import { json } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';

const checkPath = '/api/cellxgene-check';
const filePath = '/api/cellxgene-files';

/** Fields that the fake lacks, but for those with a choice; `cell_type` is from a column with a hostile label. */
const missing = new Set(['tissue_type', 'assay_ontology_term_id']);
const hostile = '<img src=x onerror=alert(1)>';

function checkOf({ fields, organism = 'NCBITaxon:9606', title }: CellxgeneChoices): CellxgeneCheck {
  const chosen = new Map(Object.entries(fields));
  const checked = curatedFields.map(({ name }): CellxgeneCheck['fields'][number] => {
    const choice = chosen.get(name);
    const value = choice && 'all' in choice ? choice.all : missing.has(name) ? null : 'unknown';
    const isType = name === 'cell_type_ontology_term_id';
    const problem = value === null ? 'No value' : null;
    const one = { label: '', cells: 700, value, term: null, isProposed: false, problem };
    return {
      name,
      column: isType ? 'bulk_labels' : null,
      fixed: null,
      values: isType
        ? [{ ...one, label: hostile, value: 'CL:0000084', term: 'T cell', isProposed: true }]
        : [one],
      more: 0,
      problems: problem === null ? 0 : 700,
    };
  });
  return {
    schema: '7.1.0',
    title: title ?? 'PBMC',
    organism: { id: organism, label: 'Homo sapiens' },
    fields: checked,
    parts: [{ part: 'Genes (var)', text: '<b>30</b> genes', isMissing: false }],
    ready: checked.every(({ problems }) => problems === 0),
  };
}

let fake: ExplorerFake;
beforeEach(() => {
  fake = explorerFake();
  fake.answer(checkPath, ({ body }) => json(checkOf(body as CellxgeneChoices)));
});

async function opened() {
  const app = renderApp(here, fake);
  await screen.findByText('700 cells active');
  await app.user.click(screen.getAllByRole('button', { name: 'Export Cells' }).at(-1)!);
  await app.user.click(screen.getByRole('button', { name: 'Check for CELLxGENE...' }));
  const dialog = within(
    await screen.findByRole('dialog', { name: 'Check and Export for CELLxGENE Discover' }),
  );
  await dialog.findByText('2 requirements not met yet.');
  return { ...app, dialog };
}

test('what is missing is filled in, and the file is made with the choices', async () => {
  const { user, dialog } = await opened();
  const make = dialog.getByRole('button', { name: 'Make File' });
  expect(make).toBeDisabled();
  await user.click(dialog.getByRole('button', { name: 'Kind of sample: fill in' }));
  await user.click(dialog.getByRole('combobox', { name: 'Value of Kind of sample' }));
  await user.click(screen.getByRole('option', { name: 'organoid' }));
  await dialog.findByText('1 requirement not met yet.');
  fake.answer('/api/ontology-terms', () =>
    json({
      release: 'v3',
      license: 'Apache',
      terms: [{ id: 'EFO:0009922', label: "10x 3' v3", parents: [] }],
    }),
  );
  await user.click(dialog.getByRole('button', { name: 'Assay: fill in' }));
  await user.click(dialog.getByRole('button', { name: 'Value of Assay: none' }));
  await user.click(await screen.findByRole('option', { name: /10x 3' v3/ }));
  await waitFor(() => expect(make).toBeEnabled());
  fake.answer(filePath, () =>
    json({ code: 'professional_plan_required', message: 'It needs the Professional plan.' }, 403),
  );
  await user.click(make);
  expect(await dialog.findByRole('alert')).toHaveTextContent('It needs the Professional plan.');
  expect(fake.sent(filePath)).toEqual([
    {
      name: expect.stringMatching(/ for CELLxGENE$/) as string,
      fields: { tissue_type: { all: 'organoid' }, assay_ontology_term_id: { all: 'EFO:0009922' } },
    },
  ]);
});

test('labels of strangers are text, and what was filled in is there when the form is opened again', async () => {
  const { user, dialog } = await opened();
  expect(dialog.getByText('<b>30</b> genes')).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Cell type: change' }));
  const row = dialog.getByRole('row', { name: new RegExp('T cell \\(CL:0000084\\)') });
  expect(row).toHaveTextContent(hostile);
  expect(row).toHaveTextContent('Found by its name');
  await user.type(dialog.getByLabelText('Title of the dataset'), 'Blood');
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  await user.click(screen.getByRole('button', { name: 'Check for CELLxGENE...' }));
  expect(await screen.findByLabelText('Title of the dataset')).toHaveValue('Blood');
});

test('a check that fails says so, and is tried again', async () => {
  fake.answer(checkPath, () => json({ code: 'dataset_damaged', message: 'The dataset is damaged.' }, 500));
  const { user } = renderApp(here, fake);
  await screen.findByText('700 cells active');
  await user.click(screen.getAllByRole('button', { name: 'Export Cells' }).at(-1)!);
  await user.click(screen.getByRole('button', { name: 'Check for CELLxGENE...' }));
  expect(await screen.findByText(/^The dataset could not be checked: /)).toBeVisible();
  fake.answer(checkPath, ({ body }) => json(checkOf(body as CellxgeneChoices)));
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('2 requirements not met yet.')).toBeVisible();
});
