import { coExpression } from '@cellfolio/analyses';
import type { AnalysisAnswer } from '@cellfolio/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { heldCsv } from '@/features/tables/held-table.fixture.ts';
import { createQueryClient } from '@/lib/query-client.ts';
import { ServicesContext } from '@/lib/services.ts';
import { datasetAnalysis, fakeServices } from '@/testing/fakes.ts';
import { moduleOf } from './module-of.tsx';

const module = moduleOf(coExpression);
const { defaults, requestOf, isComplete, Fields } = module.form;
const dataset = datasetAnalysis();

function Form() {
  const [form, setForm] = useState(defaults);
  return (
    <>
      <Fields
        analysis={dataset}
        form={form}
        runs={[]}
        onChange={(change) => setForm({ ...form, ...(change as typeof form) })}
      />
      <output>{isComplete(form, dataset) ? JSON.stringify(requestOf(form, dataset)) : 'cannot run'}</output>
    </>
  );
}

test('a form requests the defaults, and omits choices of the dataset until they are changed', async () => {
  const user = userEvent.setup();
  render(
    <QueryClientProvider client={createQueryClient()}>
      <ServicesContext value={fakeServices().services}>
        <Form />
      </ServicesContext>
    </QueryClientProvider>,
  );
  const numbers = { min_module_genes: 15, max_genes: 500, n_neighbors: 30, min_cells: 10, fdr: 0.05 };
  const request = () => JSON.parse(screen.getByText(/^\{/).textContent) as object;
  expect(request()).toEqual(numbers);
  const choose = async (label: string, choice: string) => {
    await user.click(screen.getByRole('combobox', { name: label }));
    await user.click(await screen.findByRole('option', { name: choice }));
  };
  expect(screen.getByRole('combobox', { name: 'Graph of nearest cells' })).toHaveTextContent(
    'From the file, if present',
  );
  await choose('Values', 'Expression values, normal');
  await choose('Graph of nearest cells', 'Computed from the principal components');
  expect(request()).toEqual({ ...numbers, model: 'normal', graph: 'computed' });
  await choose('Values', 'Raw counts, if available');
  expect(request()).toEqual({ ...numbers, graph: 'computed' });
  fireEvent.change(screen.getByRole('spinbutton', { name: 'Min. Module Genes' }), { target: { value: '4' } });
  expect(screen.getByText('From 5 to 100.')).toBeVisible();
  expect(screen.getByText('cannot run')).toBeVisible();
});

const names = ['Module 1', 'Module 2'];
const geneModule = (name: string, gene: string) => ({
  name,
  genes: [gene],
  depth_correlation: -0.123,
  samples_share: null,
  mitochondrial_share: 0,
  ribosomal_share: 0.25,
});
const answerOf = (change: object = {}) =>
  ({
    parameters: { min_module_genes: 15, fdr: 0.05 },
    source: { dataset_filename: 'a.h5ad', content: { kind: 'module-heatmap' } },
    genes: { tested: 4, passing: 3, paired: 3 },
    modules: names.map((name, at) => geneModule(name, `${'AB'[at]}1`)),
    samples: 'patient',
    facts: [{ code: 'found', title: 'Modules', message: '2 of 2 genes' }],
    warnings: [],
    ...change,
  }) as unknown as AnalysisAnswer;

test('facts have a table of the modules, with missing numbers as dashes', async () => {
  const Facts = module.Facts!;
  render(<Facts answer={answerOf()} onRun={() => {}} />);
  await userEvent.setup().click(screen.getByRole('button', { name: 'Modules: 2 of 2 genes' }));
  const table = within(screen.getByRole('table', { name: 'Modules' }));
  expect(table.getByRole('row', { name: 'Module 1 1 A1 −0.12 – 0 % 25 %' })).toBeVisible();
});

const table = heldCsv(
  ['group,names,z', 'Module 1,A1,9', 'Module 2,B1,8', 'none,ALONE,7', ',WEAK,0.5', ',UNTESTED,'].join('\n'),
  module.columns,
);

test('the genes of each module can be tested against all genes that were tested', () => {
  const [first, second] = module.followUps!({ answer: answerOf(), table, group: '' });
  expect(first!.label).toBe('Enrichment of Module 1');
  expect(first!.change).toEqual({
    pathway_genes: ['A1'],
    background: { kind: 'own', genes: ['A1', 'B1', 'ALONE', 'WEAK'] },
  });
  expect(second!.change).toMatchObject({ pathway_genes: ['B1'] });
});

test('of many modules the largest are offered, any other when the table shows it', () => {
  const modules = Array.from({ length: 12 }, (_, at) => geneModule(`Module ${at + 1}`, 'X1'));
  const offered = (group: string, change: object = { modules }) =>
    module.followUps!({ answer: answerOf(change), table, group }).map(({ label }) => label);
  expect(offered('')).toHaveLength(6);
  expect(offered('Module 11')).toEqual(['Enrichment of Module 11']);
  expect(offered('', { modules: [] })).toEqual([]);
});

test('without modules the result says why', () => {
  const nothing = (genes: object) => module.read(answerOf({ modules: [], genes })).nothing?.text;
  expect(nothing({ tested: 4, passing: 0, paired: 0 })).toMatch(/^None of 4 genes .* below 0\.05\./);
  expect(nothing({ tested: 4, passing: 3, paired: 3 })).toMatch(/Lower Min\. Module Genes/);
  expect(module.read(answerOf()).nothing).toBeNull();
});
