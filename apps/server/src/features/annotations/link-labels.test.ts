import { type CategoryColumn, decodeColumn } from '@cellfolio/columns';
import type { Annotation } from '@cellfolio/contract';
import { beforeAll, expect, test } from 'vitest';
import { writeAnalysisDataset } from '../../testing/analysis-dataset.ts';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';

const id = 'analysis.h5ad';
const ofDataset = `/api/datasets/${id}/annotations`;
let server: SharedServer;
/** Shares. */
let ada: ReturnType<typeof apiClient>;
/** Opens links. */
let eve: ReturnType<typeof apiClient>;
let next = 1;

beforeAll(async () => {
  server = await shareTestServer(async ({ objectRoot }) => {
    await writeAnalysisDataset(objectRoot, id);
  });
  ada = apiClient(server, await server.signIn('standard'), 'shared');
  eve = apiClient(server, await server.signIn('professional'), 'shared');
});

const nameless = () => `Shared ${next++}`;
async function begin(api: typeof ada, name = nameless(), from = 'leiden'): Promise<Annotation> {
  const { status, body } = await api.post(ofDataset, { name, from });
  expect({ status, body }).toMatchObject({ status: 200, body: { name } });
  return body;
}
async function change({ id: one, revision }: Annotation, what: object, api = ada): Promise<Annotation> {
  const { status, body } = await api.post(`/api/annotations/${one}/changes`, { revision, change: what });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}
async function link(annotations: readonly Annotation[], shares = true, address = `/explorer?dataset=${id}`) {
  const ids = annotations.map((one) => one.id);
  return (await ada.post('/api/links', { address, annotations: ids, share_labels: shares })).body
    .id as string;
}
const take = async (linkId: string, api = eve) => {
  const { status, body } = await api.post(`${ofDataset}/from-link`, { link: linkId });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.labels as { name: string; added: boolean; problem?: string }[];
};
const listOf = async (api: typeof ada) => (await api.get(ofDataset)).body.annotations as Annotation[];
const named = async (api: typeof ada, name: string) =>
  (await listOf(api)).filter((annotation) => annotation.name === name);

test('labels come with the link as they were when it was made, and belong to the one who opens it', async () => {
  const first = await begin(ada);
  const shared = await change(first, { change: 'rename', group: '0', name: '<b>Naive</b>' });
  const linkId = await link([shared]);
  const later = await change(shared, { change: 'remove', group: '1' });
  expect((await eve.get(`/api/links/${linkId}`)).body.labels).toEqual([shared.name]);
  expect(await take(linkId)).toEqual([{ name: shared.name, added: true }]);

  const [copy] = await named(eve, shared.name);
  expect(copy).toMatchObject({ version: shared.version, groups: shared.groups, unlabelled: 0, revision: 1 });
  expect(copy!.id).not.toBe(shared.id);
  expect(copy!.history.map(({ words }) => words)).toEqual(['Came with a shared link']);
  const path = `/api/datasets/${id}/columns/obs/${encodeURIComponent(shared.name)}`;
  const codes = async (api: typeof ada) => decodeColumn((await api.get(path)).body) as CategoryColumn;
  expect((await codes(eve)).categories).toEqual(['<b>Naive</b>', '1', '2', '3']);
  // The sharer's own labels go on as they are.
  expect(await take(linkId, ada)).toEqual([{ name: shared.name, added: false }]);
  expect(await named(ada, shared.name)).toEqual([later]);
});

test('a link that is opened again adds nothing, also when its labels were changed since', async () => {
  const shared = await begin(ada);
  const linkId = await link([shared]);
  await take(linkId);
  const [copy] = await named(eve, shared.name);
  const changed = await change(copy!, { change: 'remove', group: '0' }, eve);
  expect(await take(linkId)).toEqual([{ name: shared.name, added: false }]);
  expect(await named(eve, shared.name)).toEqual([changed]);
});

test('labels that are not shared are named with what to do, and stay private', async () => {
  const secret = await begin(ada, '<script>alert(1)</script>\u202e');
  const linkId = await link([secret], false);
  const [label] = await take(linkId);
  expect(label).toMatchObject({ name: secret.name, added: false });
  expect(label!.problem).toBe(
    '"<script>alert(1)</script>�" is an annotation of the link’s author that is not shared. Ask for a link that shares its labels.',
  );
  expect(await named(eve, secret.name)).toEqual([]);
  // The consent makes another link: the one that was sent stays as it was.
  expect(await link([secret], true)).not.toBe(linkId);
  expect(await take(linkId)).toMatchObject([{ added: false, problem: expect.any(String) }]);
});

test('only own annotations are put into a link', async () => {
  const mine = await begin(ada);
  for (const share_labels of [true, false]) {
    const body = { address: `/explorer?dataset=${id}`, annotations: [mine.id], share_labels };
    expect(await eve.post('/api/links', body)).toMatchObject({
      status: 404,
      body: { code: 'annotation_not_found' },
    });
  }
});

test('labels are given for the dataset that they are of alone, to users who may read it', async () => {
  const linkId = await link([await begin(ada)]);
  expect(await eve.post('/api/datasets/none.h5ad/annotations/from-link', { link: linkId })).toMatchObject({
    status: 404,
  });
  for (const unknown of ['zzzzzzzzzzzz', "' or true --", '../x']) {
    expect(await eve.post(`${ofDataset}/from-link`, { link: unknown })).toMatchObject({
      status: 404,
      body: { code: 'link_not_found' },
    });
  }
});

test('an own annotation of the same name is kept as it is, and the link says so', async () => {
  const name = nameless();
  const own = await begin(eve, name, 'cell_type');
  const linkId = await link([await begin(ada, name)]);
  expect(await take(linkId)).toEqual([
    {
      name,
      added: false,
      problem: `You have an annotation "${name}" with other labels. Rename yours, then open the link again.`,
    },
  ]);
  expect(await named(eve, name)).toEqual([own]);
});

test('deleting an annotation takes its labels out of all links, and leaves copies that were taken', async () => {
  const shared = await begin(ada);
  const linkId = await link([shared]);
  await take(linkId);
  const [copy] = await named(eve, shared.name);
  await ada.send('DELETE', `/api/annotations/${shared.id}`);
  expect(await named(eve, shared.name)).toEqual([copy]);
  await eve.send('DELETE', `/api/annotations/${copy!.id}`);
  expect(await take(linkId)).toMatchObject([
    { added: false, problem: expect.stringContaining('not shared') },
  ]);
});

test('the same view with other labels is another link, and with the same ones the same', async () => {
  const before = await begin(ada);
  const linkId = await link([before]);
  expect(await link([before])).toBe(linkId);
  const after = await change(before, { change: 'remove', group: '0' });
  expect(await link([after])).not.toBe(linkId);
  // Without consent no state is in the link, and none makes another one.
  const unshared = await link([after], false);
  await change(after, { change: 'remove', group: '1' });
  expect(await link([after], false)).toBe(unshared);
});

test('labels for which there is no room are left out, in words', async () => {
  const shared = await begin(ada);
  const linkId = await link([shared]);
  const own = await listOf(eve);
  const added: Annotation[] = [];
  for (let count = own.length; count < 20; count++) added.push(await begin(eve));
  expect(await take(linkId)).toEqual([
    {
      name: shared.name,
      added: false,
      problem:
        'You can keep at most 20 annotations of one dataset. Delete annotations that are no longer needed, then try again.',
    },
  ]);
  for (const one of added) await eve.send('DELETE', `/api/annotations/${one.id}`);
});
