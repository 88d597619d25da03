import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { Toaster } from '@/components/ui/toaster.tsx';
import { createQueryClient } from '@/lib/query-client.ts';
import { ServicesContext } from '@/lib/services.ts';
import type { FakeServices } from '@/testing/fakes.ts';
import { fakeServices, json } from '@/testing/fakes.ts';
import { type DocumentKind, DocumentRow, ListState, useDocuments } from './index.ts';

const note = z.object({ id: z.string(), name: z.string() });
const noteList = z.object({ notes: z.array(note) });
type Note = z.infer<typeof note>;

const notes: DocumentKind<{ notes: Note[] }, Note> = {
  key: ['notes'],
  all: '/api/notes',
  one: '/api/notes',
  list: noteList,
  saved: note,
  left: noteList,
  failures: { change: 'The note was not renamed.' },
  staleTime: Infinity,
};

let fake: FakeServices;
let stored: Note[];
beforeEach(() => {
  fake = fakeServices();
  fake.auth.signIn();
  stored = ['First', 'Second'].map((name, at) => ({ id: `${at}`, name }));
  fake.answer('/api/notes', () => json({ notes: stored }));
  for (const { id } of stored) {
    fake.answer(`/api/notes/${id}`, ({ method, body }) => {
      if (method === 'DELETE') {
        stored = stored.filter((one) => one.id !== id);
        return json({ notes: stored });
      }
      stored = stored.map((one) => (one.id === id ? { ...one, ...(body as object) } : one));
      return json(stored.find((one) => one.id === id));
    });
  }
});

function Notes() {
  const { list, change, remove } = useDocuments(notes);
  return (
    <ListState list={list} noun="notes">
      {(read) => (
        <ul>
          {read.notes.map(({ id, name }) => (
            <DocumentRow
              key={id}
              name={name}
              open={{ onOpen: () => {} }}
              content={name}
              rename={{ label: 'Name', onRename: (next) => void change(id, { name: next }) }}
              remove={{ note: 'It is gone then.', onRemove: () => void remove(id) }}
            />
          ))}
        </ul>
      )}
    </ListState>
  );
}

function open() {
  render(
    <ServicesContext value={fake.services}>
      <QueryClientProvider client={createQueryClient()}>
        <Notes />
        <Toaster theme="light" />
      </QueryClientProvider>
    </ServicesContext>,
  );
  return userEvent.setup();
}
const methods = () => fake.requests.map(({ method }) => method);
const row = (name: string) => screen.findByRole('button', { name });

test('with the keyboard a list is walked through, a document renamed, and deleted after a question', async () => {
  const user = open();
  act(() => document.body.focus());
  (await row('First')).focus();
  await user.keyboard('{ArrowDown}');
  expect(await row('Second')).toHaveFocus();
  await user.keyboard('{ArrowDown}{F2}');
  await user.keyboard('Another{Enter}');
  expect(await row('Another')).toBeVisible();
  expect(stored.map(({ name }) => name)).toEqual(['First', 'Another']);
  (await row('First')).focus();
  await user.keyboard('{Delete}');
  const question = await screen.findByRole('alertdialog', { name: 'Delete First?' });
  expect(stored).toHaveLength(2);
  await user.click(within(question).getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'First' })).toBeNull());
  // The answer of the deletion is the list; it is not read again.
  expect(methods()).toEqual(['GET', 'PATCH', 'GET', 'DELETE']);
});

test('a name that is left as it was, or empty, is no change', async () => {
  const user = open();
  (await row('First')).focus();
  for (const typed of ['{Enter}', '{Backspace}{Enter}']) {
    await user.keyboard('{F2}');
    await screen.findByRole('dialog', { name: 'Rename First' });
    await user.keyboard(typed);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(async () => expect(await row('First')).toHaveFocus());
  }
  expect(methods()).toEqual(['GET']);
});

test('a change that is refused says why, and the list is read again', async () => {
  const user = open();
  await row('First');
  fake.answer('/api/notes/0', () => json({ code: 'note_exists', message: 'The name is taken.' }, 409));
  stored = stored.map(({ id, name }) => ({ id, name: `${name} now` }));
  await user.click(screen.getByRole('button', { name: 'More about First' }));
  await user.click(screen.getByRole('menuitem', { name: 'Rename' }));
  await user.keyboard('Second{Enter}');
  expect(await screen.findByText('The note was not renamed.')).toBeInTheDocument();
  expect(screen.getByText('The name is taken.')).toBeInTheDocument();
  expect(await row('First now')).toBeVisible();
});

test('another user who signs in on the same page sees their own documents', async () => {
  open();
  await row('First');
  stored = [{ id: '0', name: 'Of Eve' }];
  act(() => fake.auth.signIn('eve@cellfolio.test', undefined, 'eve'));
  expect(await row('Of Eve')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'First' })).toBeNull();
});
