import type { Annotation, AnnotationChange } from '@cellfolio/contract';
import { beforeAll, expect, test } from 'vitest';
import { apiClient } from '../../testing/running-server.ts';
import { type SharedServer, shareTestServer } from '../../testing/shared-server.ts';
import { categorical, writeTestDataset } from '../../testing/write-test-dataset.ts';

const id = 'labels-with-terms.h5ad';
const cellCount = 12;
const all = `/api/datasets/${id}/annotations`;
const tCell = { id: 'CL:0000084', label: 'T cell' };
const bCell = { id: 'CL:0000236', label: 'B cell' };
let server: SharedServer;
let ada: ReturnType<typeof apiClient>;

beforeAll(async () => {
  server = await shareTestServer(({ objectRoot }) =>
    writeTestDataset(objectRoot, id, {
      cellCount,
      obs: new Map([
        ['kind', categorical(['T', 'mixed', 'no id', 'other'], cellCount, (cell) => cell % 4)],
        [
          'kind_ontology_term_id',
          categorical([tCell.id, bCell.id, 'unknown', 'OWN:1'], cellCount, (cell) =>
            cell % 4 === 1 ? Number(cell > 4) : [0, 0, 2, 3][cell % 4]!,
          ),
        ],
        ['leiden', categorical(['0', '1', '2'], cellCount, (cell) => cell % 3)],
      ]),
      genes: [{ name: 'GENE1', cells: Int32Array.of(0), values: Float32Array.of(1) }],
      embeddings: [],
      catalogue: { name: 'Labels with terms' },
      roles: {
        cellType: 'kind',
        metadata: {
          kind_ontology_term_id: 'kind_ontology_term_id',
          leiden: 'leiden',
          Ids: 'kind_ontology_term_id',
        },
      },
    }),
  );
  ada = apiClient(server, await server.signIn('standard'), 'terms');
  await ada.get(`/api/dataset_analysis/${id}`);
});

const termsOf = ({ groups }: Annotation) => groups.map(({ name, term }) => [name, term]);
async function begin(name: string, from?: string): Promise<Annotation> {
  const { status, body } = await ada.post(all, { name, ...(from !== undefined && { from }) });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}
async function changed({ id: one, revision }: Annotation, change: AnnotationChange): Promise<Annotation> {
  const { status, body } = await ada.post(`/api/annotations/${one}/changes`, { revision, change });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

test('labels begun from a column have the ids of its column of ids, but not where a label has several', async () => {
  const begun = await begin('of the file', 'kind');
  const expected = [
    ['T', tCell],
    ['mixed', undefined],
    ['no id', undefined],
    ['other', { id: 'OWN:1', label: 'other' }],
  ];
  expect(termsOf(begun)).toEqual(expected);
  expect(termsOf(await begin('of own labels', begun.name))).toEqual(expected);
});

test('labels of whole groups have the term that comes with them, or that of their column, and keep their own', async () => {
  let labels = await begin('assigned');
  labels = await changed(labels, {
    change: 'assign',
    column: 'leiden',
    groups: [
      { of: '0', group: 'T cells', term: tCell },
      { of: '1', group: 'T cells', term: bCell },
      { of: '2', group: 'none' },
    ],
  });
  expect(termsOf(labels)).toEqual([
    ['T cells', tCell],
    ['none', undefined],
  ]);
  labels = await changed(labels, {
    change: 'assign',
    column: 'kind',
    groups: [
      { of: 'T', group: 'T' },
      { of: 'other', group: 'T cells' },
    ],
  });
  expect(termsOf(labels)).toEqual([
    ['T cells', tCell],
    ['none', undefined],
    ['T', tCell],
  ]);
});

test('a table of labels brings the ids of its column of ids, and reports labels with several', async () => {
  const table = [
    'barcode,type,type_ontology_term_id,note',
    `cell-0,T,${tCell.id},a`,
    'cell-1,T,,a',
    `cell-2,B,${bCell.id},b`,
    `cell-3,B,${tCell.id},b`,
    'cell-4,x,unknown,c',
  ].join('\n');
  const imported = async (name: string, column: string) => {
    const query = new URLSearchParams({ name, column });
    const { status, body } = await ada.send('POST', `${all}/import?${query}`, table, {
      'content-type': 'text/csv',
    });
    expect({ status, body }).toMatchObject({ status: 200 });
    return body.annotation as Annotation;
  };
  const labels = await imported('imported', 'type');
  expect(termsOf(labels)).toEqual([
    ['B', undefined],
    ['T', tCell],
    ['x', undefined],
  ]);
  expect(labels.history[0]!.words).toBe(
    'Imported from a table: 5 of 5 barcodes matched; 1 group has several ontology ids there, and none here',
  );
  expect(termsOf(await imported('of another column', 'note')).map(([, term]) => term)).toEqual(
    Array(3).fill(undefined),
  );
});

test('names of cell types are terms by an exact label or synonym, and others are left out', async () => {
  const { body } = await ada.post('/api/ontology-terms/called', {
    ontology: 'CL',
    names: ['T cells', 'Plasmacytoid dendritic cells', 'Exhausted T', 'B'],
  });
  expect(body).toEqual({
    terms: [
      { name: 'T cells', ...tCell },
      { name: 'Plasmacytoid dendritic cells', id: 'CL:0000784', label: 'plasmacytoid dendritic cell' },
    ],
  });
});

test('ids of own labels are listed with those of the file, and come with the labels in a table of cells', async () => {
  const labels = await begin('mine');
  const groups = [
    { of: '0', group: 'T', term: tCell },
    { of: '1', group: 'none' },
  ];
  await changed(labels, { change: 'assign', column: 'leiden', groups });
  const { body } = await ada.get(`/api/datasets/${id}/terms`);
  const listed = (column: string) =>
    body.columns.find((one: { column: string }) => one.column === column)?.terms;
  expect(listed('mine')).toEqual([{ label: 'T', ids: [{ id: tCell.id, cells: 4 }] }]);
  expect(listed('kind')[0]).toEqual({ label: 'T', ids: [{ id: tCell.id, cells: 3 }] });
  const others = await apiClient(server, await server.signIn('professional'), 'other').get(
    `/api/datasets/${id}/terms`,
  );
  expect(others.body.columns.map(({ column }: { column: string }) => column)).toEqual(['kind']);

  const request = { genes: [], columns: ['leiden', 'mine'], coordinates: false };
  const table = await ada.post('/api/export-cells', request);
  const lines = Buffer.from(table.body).toString().split('\n');
  expect(lines.filter((line) => !line.startsWith('#')).slice(0, 4)).toEqual([
    'barcode,leiden,mine,mine_ontology_term_id',
    'cell-0,0,T,CL:0000084',
    'cell-1,1,none,',
    'cell-2,2,,',
  ]);
});

test('columns of ontology ids are nothing to color by or to filter, unless they have a name of their own', async () => {
  const { body: list } = await ada.get(`/api/datasets/${id}/columns`);
  const file = list.obs.filter(({ own }: { own?: true }) => own === undefined);
  expect(file.map(({ name, has_terms }: { name: string; has_terms?: true }) => [name, has_terms])).toEqual([
    ['kind', true],
    ['leiden', undefined],
  ]);
  const { body } = await ada.get(`/api/dataset_analysis/${id}`);
  expect(Object.keys(body.patient_metadata)).toEqual(['leiden', 'Ids']);
});
