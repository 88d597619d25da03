import { type Entries, type MatrixEntry, missingId } from './matrix-entry.ts';
import { functions, rows, server } from './server.ts';

const file = 'user-files/OWNER/1_cells.tsv';
const tus = { 'tus-resumable': '1.0.0' };
const octets = { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };

const files = {
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
    path: `/storage/v1/upload/resumable/${missingId}`,
    body: 'bytes',
    headers: octets,
    answers: '401 401 404 404 404 404 404 404 404 404',
  },
  'HEAD /storage/v1/upload/resumable/*': {
    path: `/storage/v1/upload/resumable/${missingId}`,
    headers: tus,
    answers: '404 404 404 404 404 404 404 404 404 404',
  },
  'DELETE /storage/v1/upload/resumable/*': {
    path: `/storage/v1/upload/resumable/${missingId}`,
    headers: tus,
    answers: '401 401 404 404 404 404 404 404 404 404',
  },
  'PATCH /storage/v1/upload/resumable/sign/*': {
    path: `/storage/v1/upload/resumable/sign/${missingId}`,
    body: 'bytes',
    headers: { ...octets, 'x-signature': 'none' },
    answers: '404 404 404 404 404 404 404 404 404 404',
  },
  'HEAD /storage/v1/upload/resumable/sign/*': {
    path: `/storage/v1/upload/resumable/sign/${missingId}`,
    headers: { ...tus, 'x-signature': 'none' },
    answers: '404 404 404 404 404 404 404 404 404 404',
  },
  'DELETE /storage/v1/upload/resumable/sign/*': {
    path: `/storage/v1/upload/resumable/sign/${missingId}`,
    headers: { ...tus, 'x-signature': 'none' },
    answers: '404 404 404 404 404 404 404 404 404 404',
  },
} satisfies Entries;

const accounts = {
  // Accounts: calls of the sign-in require the key, the others a session.
  'GET /auth/v1/health': { answers: '401 401 200 200 200 200 200 200 200 200' },
  'GET /auth/v1/settings': { answers: '401 401 200 200 200 200 200 200 200 200' },
  'GET /auth/v1/.well-known/jwks.json': { answers: '200 200 200 200 200 200 200 200 200 200' },
  'GET /auth/v1/user': { answers: '401 401 403 401 200 200 200 200 200 403' },
  'PUT /auth/v1/user': { body: { email: 'nobody' }, answers: '401 401 403 401 400 400 400 400 401 403' },
  'GET /auth/v1/verify': {
    path: '/auth/v1/verify?token=none&type=signup',
    answers: '303 303 303 303 303 303 303 303 303 303',
  },
  'POST /auth/v1/verify': { body: {}, answers: '401 401 400 400 400 400 400 400 400 400' },
  'POST /auth/v1/signup': {
    body: { email: 'nobody', password: 'correct horse' },
    answers: '401 401 400 400 400 400 400 400 400 400',
  },
  'POST /auth/v1/token': {
    path: '/auth/v1/token?grant_type=none',
    body: {},
    answers: '401 401 400 400 400 400 400 400 400 400',
  },
  'POST /auth/v1/recover': { body: {}, answers: '401 401 400 400 400 400 400 400 400 400' },
  'POST /auth/v1/resend': { body: {}, answers: '401 401 400 400 400 400 400 400 400 400' },
  'POST /auth/v1/otp': { body: { email: 'nobody' }, answers: '401 401 400 400 400 400 400 400 400 400' },
  'POST /auth/v1/magiclink': {
    body: { email: 'nobody' },
    answers: '401 401 400 400 400 400 400 400 400 400',
  },
  'GET /auth/v1/reauthenticate': { answers: '401 401 403 401 200 200 200 200 429 403' },
  'GET /auth/v1/authorize': {
    path: '/auth/v1/authorize?provider=none',
    answers: '400 400 400 400 400 400 400 400 400 400',
  },
  'GET /auth/v1/user/identities/authorize': {
    path: '/auth/v1/user/identities/authorize?provider=none',
    answers: '401 401 403 401 400 400 400 400 403 403',
  },
  'GET /auth/v1/callback': { answers: '303 303 303 303 303 303 303 303 303 303' },
  'POST /auth/v1/callback': { answers: '303 303 303 303 303 303 303 303 303 303' },
  'DELETE /auth/v1/user/identities/:identityId': {
    path: `/auth/v1/user/identities/${missingId}`,
    answers: '401 401 403 401 422 422 422 422 403 403',
  },
  'POST /auth/v1/logout': {
    path: '/auth/v1/logout?scope=none',
    answers: '401 401 403 401 400 400 400 400 400 403',
  },
  'POST /auth/v1/factors': {
    body: { factor_type: 'none' },
    answers: '401 401 403 401 400 400 400 400 400 403',
  },
  'POST /auth/v1/factors/:factorId/challenge': {
    path: `/auth/v1/factors/${missingId}/challenge`,
    body: {},
    answers: '401 401 403 401 404 404 404 404 404 403',
  },
  'POST /auth/v1/factors/:factorId/verify': {
    path: `/auth/v1/factors/${missingId}/verify`,
    body: { challenge_id: missingId, code: '123456' },
    answers: '401 401 403 401 404 404 404 404 404 403',
  },
  'DELETE /auth/v1/factors/:factorId': {
    path: `/auth/v1/factors/${missingId}`,
    answers: '401 401 403 401 404 404 404 404 404 403',
  },
  'GET /auth/v1/factors/recovery-codes': { answers: '401 401 404 404 404 404 404 404 404 404' },
  'POST /auth/v1/factors/recovery-codes': { answers: '401 401 404 404 404 404 404 404 404 404' },
  'DELETE /auth/v1/factors/recovery-codes': { answers: '401 401 404 404 404 404 404 404 404 404' },
  'POST /auth/v1/factors/recovery-codes/verify': { answers: '401 401 404 404 404 404 404 404 404 404' },
  'POST /auth/v1/factors/recovery-codes/regenerate': { answers: '401 401 404 404 404 404 404 404 404 404' },
  'POST /auth/v1/sso': { answers: '401 401 404 404 404 404 404 404 404 404' },
  'GET /auth/v1/passkeys': { answers: '401 401 404 404 404 404 404 404 404 404' },
  'POST /auth/v1/passkeys': { answers: '401 401 404 404 404 404 404 404 404 404' },
  'PATCH /auth/v1/passkeys': { answers: '401 401 404 404 404 404 404 404 404 404' },
  'DELETE /auth/v1/passkeys': { answers: '401 401 404 404 404 404 404 404 404 404' },
  'GET /auth/v1/passkeys/*': {
    path: '/auth/v1/passkeys/a',
    answers: '401 401 404 404 404 404 404 404 404 404',
  },
  'POST /auth/v1/passkeys/*': {
    path: '/auth/v1/passkeys/a',
    answers: '401 401 404 404 404 404 404 404 404 404',
  },
  'PATCH /auth/v1/passkeys/*': {
    path: '/auth/v1/passkeys/a',
    answers: '401 401 404 404 404 404 404 404 404 404',
  },
  'DELETE /auth/v1/passkeys/*': {
    path: '/auth/v1/passkeys/a',
    answers: '401 401 404 404 404 404 404 404 404 404',
  },

  // Operators: the secret key only.
  'GET /auth/v1/admin/users': {
    seen: 'professional@example.org',
    answers: '401 401 403 401 403 403 403 403 403 200',
  },
  'POST /auth/v1/admin/users': { body: {}, answers: '401 401 403 401 403 403 403 403 403 400' },
  'GET /auth/v1/admin/users/:userId': {
    path: '/auth/v1/admin/users/OWNER',
    answers: '401 401 403 401 403 403 403 403 403 200',
  },
  'PUT /auth/v1/admin/users/:userId': {
    path: '/auth/v1/admin/users/OWNER',
    body: {},
    answers: '401 401 403 401 403 403 403 403 403 200',
  },
  'DELETE /auth/v1/admin/users/:userId': {
    path: `/auth/v1/admin/users/${missingId}`,
    answers: '401 401 403 401 403 403 403 403 403 404',
  },
  'GET /auth/v1/admin/users/:userId/factors': {
    path: '/auth/v1/admin/users/OWNER/factors',
    answers: '401 401 403 401 403 403 403 403 403 200',
  },
  'DELETE /auth/v1/admin/users/:userId/factors/:factorId': {
    path: `/auth/v1/admin/users/OWNER/factors/${missingId}`,
    answers: '401 401 403 401 403 403 403 403 403 404',
  },
  'POST /auth/v1/admin/generate_link': { body: {}, answers: '401 401 403 401 403 403 403 403 403 400' },
  'POST /auth/v1/invite': { body: {}, answers: '401 401 403 401 403 403 403 403 403 400' },
} satisfies Entries;

/** Every route of the server, except HEAD of a GET, and its response to each caller. */
export const matrix: ReadonlyMap<string, MatrixEntry> = new Map(
  Object.entries<MatrixEntry>({ ...server, ...accounts, ...rows, ...files, ...functions } satisfies Entries),
);
