import { type Entries, nobody } from './matrix-entry.ts';

const file = 'user-files/OWNER/1_cells.tsv';
const tus = { 'tus-resumable': '1.0.0' };
const octets = { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };

export const files = {
  // Files: one of the professional user's. To other users it does not exist.
  'GET /storage/v1/status': { answers: '200 200 200 200 200 200 200 200 200 200' },
  'GET /storage/v1/statusz': { answers: '200 200 200 200 200 200 200 200 200 200' },
  'GET /storage/v1/version': { answers: '200 200 200 200 200 200 200 200 200 200' },
  'GET /storage/v1/bucket': { answers: '401 401 200 200 200 200 200 200 400 200' },
  'GET /storage/v1/bucket/:id': {
    path: '/storage/v1/bucket/user-files',
    answers: '401 401 400 400 400 400 400 400 400 200',
    bodyStatus: '401 401 404 404 404 404 404 404 403 200',
  },
  'POST /storage/v1/bucket': {
    body: { name: 'matrix' },
    answers: '401 401 400 400 400 400 400 400 400 200',
    bodyStatus: '401 401 403 403 403 403 403 403 403 200',
  },
  'PUT /storage/v1/bucket/:id': {
    path: '/storage/v1/bucket/user-files',
    body: { public: false },
    answers: '401 401 400 400 400 400 400 400 400 200',
    bodyStatus: '401 401 404 404 404 404 404 404 403 200',
  },
  'DELETE /storage/v1/bucket/:id': {
    path: '/storage/v1/bucket/user-files',
    answers: '401 401 400 400 400 400 400 400 400 400',
    bodyStatus: '401 401 404 404 404 404 404 404 403 409',
  },
  'POST /storage/v1/bucket/:id/empty': {
    path: '/storage/v1/bucket/none/empty',
    answers: '401 401 400 400 400 400 400 400 400 400',
    bodyStatus: '401 401 404 404 404 404 404 404 403 404',
  },
  'GET /storage/v1/object/:bucket/*': {
    path: `/storage/v1/object/${file}`,
    seen: 'gene',
    answers: '401 401 400 400 400 400 400 200 400 200',
    bodyStatus: '401 401 404 404 404 404 404 200 403 200',
  },
  'HEAD /storage/v1/object/:bucket/*': {
    path: `/storage/v1/object/${file}`,
    answers: '401 401 400 400 400 400 400 200 400 200',
  },
  'GET /storage/v1/object/authenticated/:bucket/*': {
    path: `/storage/v1/object/authenticated/${file}`,
    answers: '401 401 400 400 400 400 400 200 400 200',
    bodyStatus: '401 401 404 404 404 404 404 200 403 200',
  },
  'GET /storage/v1/object/sign/:bucket/*': {
    path: `/storage/v1/object/sign/${file}?token=none`,
    answers: '400 400 400 400 400 400 400 400 400 400',
    bodyStatus: '400 400 400 400 400 400 400 400 400 400',
  },
  'GET /storage/v1/object/public/:bucket/*': {
    path: `/storage/v1/object/public/${file}`,
    answers: '400 400 400 400 400 400 400 400 400 400',
    bodyStatus: '404 404 404 404 404 404 404 404 404 404',
  },
  'GET /storage/v1/object/info/:bucket/*': {
    path: `/storage/v1/object/info/${file}`,
    answers: '401 401 400 400 400 400 400 200 400 200',
    bodyStatus: '401 401 404 404 404 404 404 200 403 200',
  },
  'GET /storage/v1/object/info/authenticated/:bucket/*': {
    path: `/storage/v1/object/info/authenticated/${file}`,
    answers: '401 401 400 400 400 400 400 200 400 200',
    bodyStatus: '401 401 404 404 404 404 404 200 403 200',
  },
  'GET /storage/v1/object/info/public/:bucket/*': {
    path: `/storage/v1/object/info/public/${file}`,
    answers: '400 400 400 400 400 400 400 400 400 400',
    bodyStatus: '404 404 404 404 404 404 404 404 404 404',
  },
  'POST /storage/v1/object/list/:bucket': {
    path: '/storage/v1/object/list/user-files',
    body: { prefix: 'OWNER' },
    seen: '1_cells.tsv',
    answers: '401 401 200 200 200 200 200 200 400 200',
    bodyStatus: '401 401 200 200 200 200 200 200 403 200',
  },
  'POST /storage/v1/object/list-v2/:bucket': {
    path: '/storage/v1/object/list-v2/user-files',
    body: { prefix: 'OWNER' },
    seen: '1_cells.tsv',
    answers: '401 401 200 200 200 200 200 200 400 200',
    bodyStatus: '401 401 200 200 200 200 200 200 403 200',
  },
  'DELETE /storage/v1/object/:bucket': {
    path: '/storage/v1/object/user-files',
    body: { prefixes: ['OWNER/none.tsv'] },
    answers: '401 401 200 200 200 200 200 200 400 200',
    bodyStatus: '401 401 200 200 200 200 200 200 403 200',
  },
  'DELETE /storage/v1/object/:bucket/*': {
    path: '/storage/v1/object/user-files/OWNER/none.tsv',
    answers: '401 401 400 400 400 400 400 400 400 400',
    bodyStatus: '401 401 404 404 404 404 404 404 403 404',
  },
  'POST /storage/v1/object/sign/:bucket/*': {
    path: `/storage/v1/object/sign/${file}`,
    body: { expiresIn: 60 },
    seen: 'token=',
    answers: '401 401 400 400 400 400 400 200 400 200',
    bodyStatus: '401 401 404 404 404 404 404 200 403 200',
  },
  'POST /storage/v1/object/sign/:bucket': {
    path: '/storage/v1/object/sign/user-files',
    body: { expiresIn: 60, paths: ['OWNER/1_cells.tsv'] },
    seen: 'token=',
    answers: '401 401 200 200 200 200 200 200 400 200',
    bodyStatus: '401 401 200 200 200 200 200 200 403 200',
  },
  'POST /storage/v1/object/upload/sign/:bucket/*': {
    path: '/storage/v1/object/upload/sign/user-files/OWNER/2.tsv',
    body: {},
    answers: '401 401 400 400 400 400 400 200 400 200',
    bodyStatus: '401 401 403 403 403 403 403 200 403 200',
  },
  'POST /storage/v1/object/move': {
    body: { bucketId: 'user-files', sourceKey: 'OWNER/none.tsv', destinationKey: 'OWNER/3.tsv' },
    answers: '401 401 400 400 400 400 400 400 400 400',
    bodyStatus: '401 401 404 404 404 404 404 404 403 404',
  },
  'POST /storage/v1/object/copy': {
    body: { bucketId: 'user-files', sourceKey: 'OWNER/none.tsv', destinationKey: 'OWNER/3.tsv' },
    answers: '401 401 400 400 400 400 400 400 400 400',
    bodyStatus: '401 401 404 404 404 404 404 404 403 404',
  },
  'POST /storage/v1/object/:bucket/*': {
    path: '/storage/v1/object/user-files/OWNER/1_cells.tsv',
    body: 'bytes',
    headers: { 'content-type': 'text/plain', 'x-upsert': 'true' },
    answers: '401 401 400 400 400 400 400 200 400 200',
    bodyStatus: '401 401 403 403 403 403 403 200 403 200',
  },
  'PUT /storage/v1/object/:bucket/*': {
    path: `/storage/v1/object/${file}`,
    body: 'bytes',
    headers: { 'content-type': 'text/plain' },
    answers: '401 401 400 400 400 400 400 200 400 200',
    bodyStatus: '401 401 403 403 403 403 403 200 403 200',
  },
  'PUT /storage/v1/object/upload/sign/:bucket/*': {
    path: `/storage/v1/object/upload/sign/${file}?token=none`,
    body: 'bytes',
    headers: { 'content-type': 'text/plain' },
    answers: '400 400 400 400 400 400 400 400 400 400',
    bodyStatus: '400 400 400 400 400 400 400 400 400 400',
  },
  'POST /storage/v1/upload/resumable': {
    headers: { ...tus, 'upload-length': '5' },
    objectName: 'OWNER/9.tsv',
    answers: '401 401 403 403 403 403 403 201 403 201',
  },
  'POST /storage/v1/upload/resumable/sign': {
    headers: { ...tus, 'upload-length': '5', 'x-signature': 'none' },
    objectName: 'OWNER/9.tsv',
    answers: '400 400 400 400 400 400 400 400 400 400',
  },
  'PATCH /storage/v1/upload/resumable/*': {
    path: `/storage/v1/upload/resumable/${nobody}`,
    body: 'bytes',
    headers: octets,
    answers: '401 401 404 404 404 404 404 404 404 404',
  },
  'HEAD /storage/v1/upload/resumable/*': {
    path: `/storage/v1/upload/resumable/${nobody}`,
    headers: tus,
    answers: '404 404 404 404 404 404 404 404 404 404',
  },
  'DELETE /storage/v1/upload/resumable/*': {
    path: `/storage/v1/upload/resumable/${nobody}`,
    headers: tus,
    answers: '401 401 404 404 404 404 404 404 404 404',
  },
  'PATCH /storage/v1/upload/resumable/sign/*': {
    path: `/storage/v1/upload/resumable/sign/${nobody}`,
    body: 'bytes',
    headers: { ...octets, 'x-signature': 'none' },
    answers: '404 404 404 404 404 404 404 404 404 404',
  },
  'HEAD /storage/v1/upload/resumable/sign/*': {
    path: `/storage/v1/upload/resumable/sign/${nobody}`,
    headers: { ...tus, 'x-signature': 'none' },
    answers: '404 404 404 404 404 404 404 404 404 404',
  },
  'DELETE /storage/v1/upload/resumable/sign/*': {
    path: `/storage/v1/upload/resumable/sign/${nobody}`,
    headers: { ...tus, 'x-signature': 'none' },
    answers: '404 404 404 404 404 404 404 404 404 404',
  },
} satisfies Entries;
