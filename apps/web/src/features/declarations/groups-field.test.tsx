import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { createQueryClient } from '@/lib/query-client.ts';
import { ServicesContext } from '@/lib/services.ts';
import { datasetAnalysis, fakeServices } from '@/testing/fakes.ts';
import { chosenGroups, SomeGroupsField, UnassignedField } from './groups-field.tsx';

const analysis = datasetAnalysis({ cell_types: ['B cell', 'Unknown', 'T cell', 'Doublet'] });

function Fields({ groupBy = 'cell_type' }) {
  const [form, setForm] = useState({ unassigned: 'groups', groupBy, groups: '' });
  const change = (next: Partial<typeof form>) => setForm({ ...form, ...next });
  return (
    <>
      <UnassignedField
        analysis={analysis}
        groupBy={form.groupBy}
        unassigned={form.unassigned}
        onChange={change}
      />
      <SomeGroupsField analysis={analysis} form={form} onChange={change} />
      <output>{JSON.stringify([form.unassigned, chosenGroups(form) ?? null])}</output>
    </>
  );
}

function opened(groupBy?: string) {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <ServicesContext value={fakeServices().services}>
        <Fields {...(groupBy !== undefined && { groupBy })} />
      </ServicesContext>
    </QueryClientProvider>,
  );
  return userEvent.setup();
}

test('groups such as Unknown are left out by one click, of the test or of the groups that are compared', async () => {
  const user = opened();
  const name = 'Leave out Unknown, Doublet: cells without a group';
  await user.click(screen.getByRole('checkbox', { name }));
  expect(screen.getByText('["left-out",null]')).toBeVisible();
  await user.click(screen.getByRole('button', { name }));
  expect(screen.getByText('["left-out",["B cell","T cell"]]')).toBeVisible();
  expect(screen.queryByRole('button', { name })).toBeNull();
});

test('a column without such groups offers nothing to leave out', () => {
  opened('leiden');
  expect(screen.queryByText(/Leave out/)).toBeNull();
});
