import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, test } from 'vitest';
import { chips } from '@/features/explore/explorer.fixture.ts';
import { type GeneIndex, indexGenes } from '@/features/genes/index.ts';
import { createQueryClient } from '@/lib/query-client.ts';
import { ServicesContext } from '@/lib/services.ts';
import { datasetAnalysis, fakeServices, json } from '@/testing/fakes.ts';
import { GenePicker } from './gene-picker.tsx';

const index = indexGenes(datasetAnalysis().gene_library);

function Picker({ of = index }: { of?: GeneIndex }) {
  const [genes, setGenes] = useState<string[]>([]);
  return (
    <GenePicker
      index={of}
      label="Search genes"
      chosenLabel="Selected genes"
      genes={genes}
      onChange={setGenes}
    />
  );
}

function opened(of = index) {
  const fake = fakeServices();
  fake.answer('/api/datasets/old/gene-names', ({ body }) => {
    const { names } = body as { names: string[] };
    return json({
      genes: names.filter((name) => name === 'MARCH1').map((name) => ({ name, symbol: 'MARCHF1' })),
      missing: names.filter((name) => name !== 'MARCH1'),
      ambiguous: names
        .filter((name) => name.toLowerCase() === '1-mar')
        .map((name) => ({ name, symbols: ['MARCHF1', 'MTARC1'] })),
      species: 'human',
    });
  });
  render(
    <QueryClientProvider client={createQueryClient()}>
      <ServicesContext value={fake.services}>
        <Picker of={of} />
      </ServicesContext>
    </QueryClientProvider>,
  );
  return { user: userEvent.setup() };
}
const search = () => screen.getByRole('combobox', { name: 'Search genes' });

test('suggestions are chosen with arrows and Enter, and closed with Escape', async () => {
  const { user } = opened();
  const box = search();
  expect(screen.queryByRole('listbox')).toBeNull();
  await user.type(box, 'cd');
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
    'CD3D',
    'CD3E',
    'CD79A',
  ]);
  expect(box).toHaveAttribute('aria-expanded', 'true');
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowUp}');
  const active = screen.getByRole('option', { name: 'CD3E' });
  expect(active).toHaveAttribute('aria-selected', 'true');
  expect(box).toHaveAttribute('aria-activedescendant', active.id);
  await user.keyboard('{Enter}');
  expect(chips()).toEqual(['CD3E']);
  expect(box).toHaveValue('');
  await user.type(box, 'cd');
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('listbox')).toBeNull();
  expect(box).toHaveValue('cd');
});

test('a suggestion is chosen with the mouse, and a chip removed with its button', async () => {
  const { user } = opened();
  await user.type(search(), 'st');
  await user.click(screen.getByRole('option', { name: 'CST3' }));
  expect(chips()).toEqual(['CST3']);
  await user.click(screen.getByRole('button', { name: 'Remove CST3' }));
  expect(screen.queryByRole('list', { name: 'Selected genes' })).toBeNull();
});

test('Enter adds genes parted by commas; those not in the dataset stay in the box and are named', async () => {
  const { user } = opened();
  const box = search();
  await user.type(box, ' cst3, ms4a1 ,nope,CST3{Enter}');
  expect(chips()).toEqual(['CST3', 'Ms4a1']);
  expect(box).toHaveValue('NOPE');
  expect(box).toHaveAccessibleDescription('Not in this dataset: NOPE');
});

test('one click removes all pasted genes that are not in the dataset', async () => {
  const { user } = opened();
  const box = search();
  await user.click(box);
  await user.paste(`CST3 ${Array.from({ length: 200 }, (_, gene) => `NOPE${gene}`).join(' ')}`);
  expect(chips()).toEqual(['CST3']);
  await user.click(screen.getByRole('button', { name: 'Remove all 200' }));
  expect(box).toHaveValue('');
  expect(box).toHaveFocus();
  expect(box).not.toBeInvalid();
  expect(chips()).toEqual(['CST3']);
});

test('a very long name that is not in the dataset is shown cut', async () => {
  const { user } = opened();
  const box = search();
  await user.click(box);
  await user.paste('X'.repeat(400));
  await user.keyboard('{Enter}');
  expect(box).toHaveAccessibleDescription(`Not in this dataset: ${'X'.repeat(39)}…`);
});

describe('names that only the server knows', () => {
  const old = indexGenes(['MARCHF1', 'MTARC1', 'PTPRC'], { filename: 'old', version: '1' });

  test('a former symbol adds the gene, and says which it was taken for', async () => {
    const { user } = opened(old);
    await user.type(search(), 'MARCH1, CD45, NOPE{Enter}');
    await waitFor(() => expect(chips()).toEqual(['MARCHF1', 'PTPRC']));
    expect(search()).toHaveAccessibleDescription('MARCH1 → MARCHF1, CD45 → PTPRC. Not in this dataset: NOPE');
  });

  test('the genes of a name are suggested while it is typed', async () => {
    const { user } = opened(old);
    await user.type(search(), '1-Mar');
    expect((await screen.findAllByRole('option')).map((option) => option.textContent)).toEqual([
      'MARCHF1 (1-Mar)',
      'MTARC1 (1-Mar)',
    ]);
    await user.keyboard('{Enter}');
    await waitFor(() =>
      expect(search()).toHaveAccessibleDescription('1-Mar may be MARCHF1, MTARC1. Choose the one you mean.'),
    );
    expect(screen.queryByRole('list', { name: 'Selected genes' })).toBeNull();
    await user.click(await screen.findByRole('option', { name: /^MTARC1/ }));
    expect(chips()).toEqual(['MTARC1']);
    expect(search()).toHaveValue('');
    expect(search()).toHaveAccessibleDescription('1-MAR → MTARC1.');
  });
});
