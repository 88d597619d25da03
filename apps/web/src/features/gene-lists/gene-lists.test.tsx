import type { GeneList } from '@cellfolio/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ExplorerFake } from '@/features/explore/explorer.fixture.ts';
import { chips, explorerFake, here, search } from '@/features/explore/explorer.fixture.ts';
import { json } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';

let fake: ExplorerFake;
let lists: GeneList[];

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const list = (name: string, genes: string[]): GeneList => ({
  id: idOf(lists.length + 1),
  name,
  genes,
  revision: 1,
});

beforeEach(() => {
  fake = explorerFake();
  lists = [];
  fake.answer('/api/gene-lists', ({ method, body, path }) => {
    const { name = '', genes = [] } = (body ?? {}) as Partial<GeneList>;
    if (method === 'GET') return json({ lists });
    if (method === 'DELETE') {
      lists = lists.filter(({ id }) => !path.endsWith(id));
      return json({ lists });
    }
    if (lists.some((other) => other.name === name && !path.endsWith(other.id))) {
      return json({ code: 'gene_list_exists', message: `You already have a gene list “${name}”.` }, 409);
    }
    const before = lists.find(({ id }) => path.endsWith(id));
    const after = before ? { ...before, name, genes, revision: before.revision + 1 } : list(name, genes);
    lists = [...lists.filter((other) => other !== before), after];
    return json(after);
  });
  fake.answer('/api/datasets/tumour_one/gene-names', ({ body }) => {
    const { names } = body as { names: string[] };
    return json({
      genes: names.filter((name) => name.startsWith('ENSG')).map((name) => ({ name, symbol: 'CST3' })),
      missing: names.filter((name) => !name.startsWith('ENSG')),
      species: 'human',
    });
  });
});

const openPanel = async (user: ReturnType<typeof renderApp>['user']) => {
  await search();
  await user.click(screen.getByRole('button', { name: 'Gene Lists' }));
};
const listButton = () => screen.getByRole('button', { name: 'Gene lists: Search genes' });

describe('a list from a paste', () => {
  test('says what is mended, missing and repeated, and keeps what other datasets may have', async () => {
    const { user } = renderApp(here, fake);
    await openPanel(user);
    await user.click(await screen.findByRole('button', { name: 'New gene list' }));
    const dialog = await screen.findByRole('dialog', { name: 'New gene list' });
    await user.click(within(dialog).getByRole('textbox', { name: 'Genes' }));
    await user.paste('cd3d\nCD20;CD3E, CD3E\tNOPE ENSG00000101439');
    expect(await within(dialog).findByText('5 genes.')).toBeVisible();
    await waitFor(() =>
      expect(within(dialog).getByText(/→/)).toHaveTextContent(
        'cd3d → CD3D, CD20 → Ms4a1, ENSG00000101439 → CST3.',
      ),
    );
    expect(within(dialog).getByText('1 not in this dataset: NOPE.')).toBeVisible();
    expect(within(dialog).getByText('Given more than once: CD3E.')).toBeVisible();
    await user.click(within(dialog).getByRole('button', { name: 'Save list' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(lists).toMatchObject([{ name: 'My genes', genes: ['CD3D', 'Ms4a1', 'CD3E', 'NOPE', 'CST3'] }]);
    expect(await screen.findByRole('button', { name: 'Edit My genes' })).toHaveTextContent(
      '4 of 5 genes here',
    );
  });

  test('leaves out what the dataset does not have on request', async () => {
    const { user } = renderApp(here, fake);
    await openPanel(user);
    await user.click(await screen.findByRole('button', { name: 'New gene list' }));
    await user.click(screen.getByRole('textbox', { name: 'Genes' }));
    await user.paste('CD3D NOPE');
    await user.click(await screen.findByRole('checkbox', { name: /^Keep the 1 name/ }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save list' })).toBeEnabled());
    await user.click(screen.getByRole('button', { name: 'Save list' }));
    await waitFor(() => expect(lists).toMatchObject([{ genes: ['CD3D'] }]));
  });

  test('of more than 500 genes cannot be saved, and says how many are too many', async () => {
    const { user } = renderApp(here, fake);
    await openPanel(user);
    await user.click(await screen.findByRole('button', { name: 'New gene list' }));
    await user.click(screen.getByRole('textbox', { name: 'Genes' }));
    await user.paste(Array.from({ length: 503 }, (_, n) => `G${n}`).join(' '));
    expect(await screen.findByText(/at most 500 genes: remove 3/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Save list' })).toBeDisabled();
  });
});

test('a list is renamed; a name that is taken is refused in words, and the dialog stays', async () => {
  lists = [];
  lists = [list('T cells', ['CD3D'])];
  lists = [...lists, list('B cells', ['CD79A'])];
  const { user } = renderApp(here, fake);
  await openPanel(user);
  await user.click(await screen.findByRole('button', { name: 'Edit T cells' }));
  const name = screen.getByRole('textbox', { name: 'Name' });
  await user.clear(name);
  await user.type(name, 'B cells{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent('You already have a gene list “B cells”.');
  await user.type(name, ' (old){Enter}');
  expect(await screen.findByRole('button', { name: 'Edit B cells (old)' })).toBeVisible();
});

test('a list is deleted after a question', async () => {
  lists = [list('T cells', ['CD3D'])];
  const { user } = renderApp(here, fake);
  await openPanel(user);
  await user.click(await screen.findByRole('button', { name: 'More about T cells' }));
  await user.click(screen.getByRole('menuitem', { name: 'Delete' }));
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText(/^Save genes under a name/)).toBeVisible();
  expect(lists).toEqual([]);
});

test('a box of genes takes a list, and names those of its genes that the dataset does not have', async () => {
  lists = [list('Mixed <b>', ['cd3d', 'NOPE', 'CD20', 'CST3'])];
  const { user } = renderApp(here, fake);
  await user.type(await search(), 'CST3{Enter}');
  await user.click(listButton());
  await user.click(await screen.findByRole('button', { name: /^Mixed <b>/ }));
  await waitFor(() => expect(chips()).toEqual(['CST3', 'CD3D', 'Ms4a1']));
  expect(
    screen.getByText(
      'Mixed <b>: 2 genes added, 1 chosen already. cd3d → CD3D, CD20 → Ms4a1. 1 not in this dataset: NOPE.',
    ),
  ).toBeVisible();
});

test('the genes of a box are saved as a list, under a name that is free', async () => {
  lists = [list('My genes', ['CD3E'])];
  const { user } = renderApp(here, fake);
  await user.type(await search(), 'CST3, CD3D, CD79A{Enter}');
  await user.click(listButton());
  expect(await screen.findByRole('textbox', { name: 'Save 3 genes as a list' })).toHaveValue('My genes (2)');
  const count = screen.getByRole('spinbutton', { name: 'The first' });
  await user.clear(count);
  await user.type(count, '2');
  await user.click(screen.getByRole('button', { name: 'Save list' }));
  await waitFor(() => expect(lists.at(-1)).toMatchObject({ name: 'My genes (2)', genes: ['CST3', 'CD3D'] }));
});

test('lists that cannot be read are reported, and are tried again', async () => {
  fake.answer('/api/gene-lists', () => json({ code: 'busy', message: 'Too busy.' }, 503));
  const { user } = renderApp(here, fake);
  await search();
  await user.click(listButton());
  expect(await screen.findByText(/The gene lists could not be read/)).toBeVisible();
  fake.answer('/api/gene-lists', () => json({ lists: [] }));
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText(/^No gene lists yet/)).toBeVisible();
});
