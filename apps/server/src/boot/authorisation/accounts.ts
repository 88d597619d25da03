import { type Entries, nobody } from './matrix-entry.ts';

export const accounts = {
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
    path: `/auth/v1/user/identities/${nobody}`,
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
    path: `/auth/v1/factors/${nobody}/challenge`,
    body: {},
    answers: '401 401 403 401 404 404 404 404 404 403',
  },
  'POST /auth/v1/factors/:factorId/verify': {
    path: `/auth/v1/factors/${nobody}/verify`,
    body: { challenge_id: nobody, code: '123456' },
    answers: '401 401 403 401 404 404 404 404 404 403',
  },
  'DELETE /auth/v1/factors/:factorId': {
    path: `/auth/v1/factors/${nobody}`,
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
    path: `/auth/v1/admin/users/${nobody}`,
    answers: '401 401 403 401 403 403 403 403 403 404',
  },
  'GET /auth/v1/admin/users/:userId/factors': {
    path: '/auth/v1/admin/users/OWNER/factors',
    answers: '401 401 403 401 403 403 403 403 403 200',
  },
  'DELETE /auth/v1/admin/users/:userId/factors/:factorId': {
    path: `/auth/v1/admin/users/OWNER/factors/${nobody}`,
    answers: '401 401 403 401 403 403 403 403 403 404',
  },
  'POST /auth/v1/admin/generate_link': { body: {}, answers: '401 401 403 401 403 403 403 403 403 400' },
  'POST /auth/v1/invite': { body: {}, answers: '401 401 403 401 403 403 403 403 403 400' },
} satisfies Entries;
