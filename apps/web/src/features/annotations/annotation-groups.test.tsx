import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, renderHook, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { createQueryClient } from '@/lib/query-client.ts';
import { ServicesContext } from '@/lib/services.ts';
import { fakeServices, json } from '@/testing/fakes.ts';
import { useDocuments } from '@/features/documents/index.ts';
import { annotationsOf } from './annotation-calls.ts';
import { AnnotationGroups } from './annotation-groups.tsx';

const group = (name: string) => ({ name, colour: '#336699', cells: 12 });
const annotation = { groups: [group('B cells'), group('T cells')] } as Parameters<
  typeof AnnotationGroups
>[0]['annotation'];

test('a name that was refused does not stay in its field, as if the group had it', async () => {
  const onChange = vi.fn();
  const show = (busy: boolean) => (
    <AnnotationGroups annotation={annotation} busy={busy} onChange={onChange} />
  );
  const { rerender } = render(show(false));
  const field = screen.getByRole('textbox', { name: 'Name of T cells' });
  await userEvent.clear(field);
  await userEvent.type(field, 'B cells{Enter}');
  expect(onChange).toHaveBeenCalledWith({ change: 'rename', group: 'T cells', name: 'B cells' });
  rerender(show(true));
  expect(field).toHaveValue('B cells');
  rerender(show(false));
  expect(field).toHaveValue('T cells');
});

test('after actions in a row the last one, or one that fails, reads the annotations again', async () => {
  const fake = fakeServices();
  const createdAnnotation = {
    id: '00000000-0000-4000-8000-000000000001',
    name: 'Mine',
    revision: 1,
    version: '1',
    groups: [],
    unlabelled: 9,
    history: [],
  };
  fake.answer('/api/datasets/d/annotations', ({ method }) =>
    json(method === 'GET' ? { annotations: [], numbers: [] } : createdAnnotation),
  );
  const client = createQueryClient();
  const { result } = renderHook(() => useDocuments(annotationsOf('d')), {
    wrapper: ({ children }) => (
      <ServicesContext value={fake.services}>
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      </ServicesContext>
    ),
  });
  const reads = () => fake.requests.filter(({ method }) => method === 'GET').length;
  const create = (followed: boolean) =>
    act(async () => {
      await result.current.create({ name: 'Mine' }, { followed }).catch(() => {});
    });
  await waitFor(() => expect(reads()).toBe(1));
  await create(true);
  expect(reads()).toBe(1);
  await create(false);
  expect(reads()).toBe(2);
  fake.answer('/api/datasets/d/annotations', ({ method }) =>
    method === 'GET' ? json({ annotations: [], numbers: [] }) : json({ code: 'no', message: 'No.' }, 409),
  );
  await create(true);
  expect(reads()).toBe(3);
});

test('a group is given a term of the Cell Ontology by search, with the keyboard too', async () => {
  const fake = fakeServices();
  const terms = [
    { id: 'CL:0000084', label: 'T cell', synonym: 'T lymphocyte', parents: [] },
    { id: 'CL:0000624', label: 'CD4-positive, alpha-beta T cell', parents: [] },
  ];
  fake.answer('/api/ontology-terms', () => json({ release: 'v1', license: 'CC BY 4.0', terms }));
  const onChange = vi.fn();
  render(
    <ServicesContext value={fake.services}>
      <QueryClientProvider client={createQueryClient()}>
        <AnnotationGroups annotation={annotation} busy={false} onChange={onChange} />
      </QueryClientProvider>
    </ServicesContext>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Cell Ontology term of T cells' }));
  const field = await screen.findByRole('combobox', { name: 'Cell Ontology term' });
  expect(field).toHaveValue('T cells');
  expect(await screen.findByRole('option', { name: /T cell.*CL:0000084.*T lymphocyte/ })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  expect(screen.getByText('Cell Ontology v1, CC BY 4.0')).toBeInTheDocument();
  await userEvent.type(field, '{ArrowDown}{Enter}');
  expect(onChange).toHaveBeenCalledWith({
    change: 'term',
    group: 'T cells',
    term: { id: 'CL:0000624', label: 'CD4-positive, alpha-beta T cell' },
  });
});
