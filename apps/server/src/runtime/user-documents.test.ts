import { type Owner, ownerOfUser } from './owners.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createUser, type Database, openDatabase } from '@cellfolio/platform';
import { copyTestDatabase } from '@cellfolio/platform/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type DocumentKind, UserDocuments } from './user-documents.ts';

let folder: string;
let database: Database;
let owner: Owner;
let other: Owner;
let nextKind = 1;
let kind: DocumentKind;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cellfolio-documents-'));
  await copyTestDatabase(folder);
  database = await openDatabase({ dataDir: folder });
  const account = async (name: string) => {
    const user = { email: `${name}@example.org`, password: 'a long password', confirmed: true };
    const { id } = await createUser(database, { ...user, passwordCost: { memoryKib: 64, passes: 1 } });
    return ownerOfUser(id);
  };
  [owner, other] = [await account('ada'), await account('bob')];
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  kind = { kind: `kind-${nextKind++}`, code: 'note', one: 'note', revisions: 3, limits: { documents: 3 } };
});

const open = (limits: Partial<DocumentKind['limits']> = {}) =>
  new UserDocuments<{ text: string }>(database, { ...kind, limits: { ...kind.limits, ...limits } });
const note = (name: string, text = name) => ({ name, body: { text } });
async function statesOf(id: string): Promise<number[]> {
  const { rows } = await database.pool.query<{ revision: number }>(
    'select revision from cellfolio.user_document_revisions where document_id = $1 order by revision',
    [id],
  );
  return rows.map(({ revision }) => revision);
}

test('a document keeps its latest states, and those that were undone go with the next change', async () => {
  const notes = open();
  const id = await notes.create(owner, note('a', '1'));
  for (const text of ['2', '3', '4', '5']) {
    const { revision } = await notes.get(owner, id);
    await notes.change(owner, id, { revision, body: { text } });
  }
  expect(await statesOf(id)).toEqual([3, 4, 5]);
  expect(await notes.move(owner, id, { revision: 5, to: 1 })).toBe(false);
  expect(await notes.move(owner, id, { revision: 5, to: 3 })).toBe(true);
  expect((await notes.get(owner, id)).body).toEqual({ text: '3' });
  await notes.change(owner, id, { revision: 3, body: { text: 'other' } });
  expect(await statesOf(id)).toEqual([3, 6]);
});

test('a change of an older state is refused, and changes nothing', async () => {
  const notes = open();
  const id = await notes.create(owner, note('a'));
  await notes.change(owner, id, { revision: 1, body: { text: 'new' } });
  const late = { revision: 1, name: 'late', body: { text: 'late' } };
  await expect(notes.change(owner, id, late)).rejects.toMatchObject({ status: 409, code: 'note_changed' });
  expect(await notes.get(owner, id)).toMatchObject({ name: 'a', revision: 2, body: { text: 'new' } });
});

test('a document of another user is neither read, changed, renamed, moved nor deleted', async () => {
  const notes = open();
  const id = await notes.create(owner, note('a'));
  const refused = { status: 404, code: 'note_not_found' };
  await expect(notes.get(other, id)).rejects.toMatchObject(refused);
  await expect(notes.change(other, id, { revision: 1, body: null })).rejects.toMatchObject(refused);
  await expect(notes.rename(other, id, 'b')).rejects.toMatchObject(refused);
  await expect(notes.move(other, id, { revision: 1, to: 1 })).rejects.toMatchObject(refused);
  await expect(notes.remove(other, id)).rejects.toMatchObject(refused);
  expect(await notes.list(other)).toEqual([]);
  expect(await notes.list(owner)).toMatchObject([{ id, name: 'a', body: { text: 'a' } }]);
});

test('a document is not reached by its id as one of another kind', async () => {
  const id = await open().create(owner, note('a'));
  kind = { ...kind, kind: 'another' };
  await expect(open().get(owner, id)).rejects.toMatchObject({ status: 404 });
});

test('beyond the limit a document is refused, with the number and the advice, or the one unused for longest goes', async () => {
  const notes = open();
  for (const name of ['a', 'b', 'c']) await notes.create(owner, note(name));
  await expect(notes.create(owner, note('d'))).rejects.toMatchObject({
    status: 409,
    code: 'too_many_notes',
    message: 'You can keep at most 3 notes. Delete notes that are no longer needed, then try again.',
  });
  await notes.create(other, note('of another'));
  const rolling = open({ deletes: 'unused' });
  await database.transaction((client) => rolling.use(client, owner, note('a')));
  await rolling.create(owner, note('d'));
  expect((await rolling.list(owner)).map(({ name }) => name)).toEqual(['a', 'c', 'd']);
  expect(await rolling.list(other)).toHaveLength(1);
});

test('documents of a dataset have a limit of their own, and those that went back to the dataset’s do not count', async () => {
  const notes = open({ documents: 9, ofDataset: 1 });
  const first = await notes.create(owner, { ...note('a'), dataset: 'd' });
  await notes.create(owner, { ...note('a'), dataset: 'e' });
  const second = { ...note('b'), dataset: 'd' };
  await expect(notes.create(owner, second)).rejects.toThrow('You can keep at most 1 notes of one dataset.');
  await notes.change(owner, first, { revision: 1, body: null });
  await notes.create(owner, second);
});

test('states before the current ones make room for bytes, and what is too large alone is refused', async () => {
  const notes = open({ bytes: 1000, deletes: 'older-states' });
  const id = await notes.create(owner, note('a', 'x'.repeat(600)));
  await notes.change(owner, id, { revision: 1, body: { text: 'y'.repeat(600) } });
  expect(await statesOf(id)).toEqual([2]);
  const large = { revision: 2, body: { text: '' }, bytes: Buffer.alloc(1001) };
  await expect(notes.change(owner, id, large)).rejects.toMatchObject({ code: 'too_many_notes' });
  expect(await notes.get(owner, id)).toMatchObject({ revision: 2 });
});

test('of concurrent calls no more documents come than there is room for', async () => {
  const notes = open();
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const made = await Promise.allSettled(names.map((name) => notes.create(owner, note(name))));
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  expect(await notes.list(owner)).toHaveLength(3);
});
