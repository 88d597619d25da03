import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { createQueryClient } from '@/lib/query-client.ts';
import { ServicesContext } from '@/lib/services.ts';
import { fakeServices, json } from '@/testing/fakes.ts';
import { GroupRow, SuggestedLabels, type SuggestionRowProps } from './suggestion-table.tsx';

const suggestions = [
  { group: '0', suggestion: 'T cells' },
  { group: '1', suggestion: 'B cell' },
  { group: '2', suggestion: 'Exhausted' },
];
const parameters = { groupby: 'leiden' };
const tCell = { id: 'CL:0000084', label: 'T cell' };
const bCell = { id: 'CL:0000236', label: 'B cell' };

function Row({ suggestion, name, labels }: SuggestionRowProps<(typeof suggestions)[number], object>) {
  const about = { cells: 3, best: undefined, reasons: [], numbers: ['1', '1'] as const, next: '' };
  return (
    <GroupRow {...suggestion} {...about} name={name} labels={labels}>
      {null}
    </GroupRow>
  );
}

test('a suggestion that is a cell type of the Cell Ontology has its id, and its labels that term', async () => {
  const fake = fakeServices();
  const id = '00000000-0000-4000-8000-000000000001';
  const created = { id, name: 'Cell types', revision: 1, version: '1', groups: [], unlabelled: 9 };
  fake.answer('/api/ontology-terms/called', () =>
    json({
      terms: [
        { name: 'T cells', ...tCell },
        { name: 'B cell', ...bCell },
      ],
    }),
  );
  fake.answer('/api/datasets/d/annotations', ({ method }) =>
    json(method === 'GET' ? { version: '1', annotations: [], numbers: [] } : { ...created, history: [] }),
  );
  fake.answer(`/api/annotations/${id}/changes`, () => json({ ...created, revision: 2, history: [] }));
  render(
    <ServicesContext value={fake.services}>
      <QueryClientProvider client={createQueryClient()}>
        <SuggestedLabels
          {...{ suggestions, parameters, Row }}
          title="Leiden"
          headings={['Score', 'p', 'Markers']}
          subset={undefined}
          dataset={{ filename: 'd', version: '1' }}
          onGenes={() => {}}
        />
      </QueryClientProvider>
    </ServicesContext>,
  );
  const row = (name: string) =>
    within(screen.getByRole('row', { name: new RegExp(`Apply the label of ${name}`) }));
  expect(await row('0').findByText(tCell.id)).toBeInTheDocument();
  expect(row('0').getByTitle('Cell Ontology: T cell (CL:0000084)')).toHaveTextContent('T cell CL:0000084');
  expect(row('1').getByTitle('Cell Ontology: B cell (CL:0000236)')).toHaveTextContent(/^CL:0000236$/);
  expect(row('2').queryByText(/CL:/)).not.toBeInTheDocument();

  await userEvent.type(screen.getByRole('textbox', { name: 'Label of 1' }), ' of the gut');
  await userEvent.click(screen.getByRole('button', { name: 'Choose all suggested' }));
  await userEvent.click(screen.getByRole('button', { name: 'Apply to annotation' }));
  const change = () => fake.requests.find(({ path }) => path === `/api/annotations/${id}/changes`);
  await waitFor(() => expect(change()).toBeDefined());
  expect(change()!.body).toMatchObject({
    change: {
      groups: [
        { of: '0', group: 'T cells', term: tCell },
        { of: '1', group: 'B cell of the gut' },
        { of: '2', group: 'Exhausted' },
      ],
    },
  });
});
