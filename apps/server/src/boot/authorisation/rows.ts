import type { Entries } from './entries.ts';

const single = { accept: 'application/vnd.pgrst.object+json' };

/** The service of rows. */
export const rows = {
  // Rows: one of the professional user's, for whom 200 and 204 mean that it was seen or changed.
  'GET /rest/v1/*': {
    path: '/rest/v1/subset_metadata?subset_name=eq.mine&select=subset_name',
    headers: single,
    seen: 'mine',
    answers: '401 401 401 406 406 406 200 200',
  },
  'HEAD /rest/v1/*': {
    path: '/rest/v1/subset_metadata?subset_name=eq.mine&select=id',
    headers: single,
    answers: '401 401 401 406 406 406 200 200',
  },
  'POST /rest/v1/*': {
    path: '/rest/v1/subset_metadata',
    // A name of its own for each who asks: a user has one subset of a name.
    body: { user_id: 'OWNER', subset_name: 'NEW' },
    answers: '401 401 401 403 403 403 201 201',
  },
  'PATCH /rest/v1/*': {
    path: '/rest/v1/subset_metadata?subset_name=eq.mine&select=id',
    body: { percentile: 1 },
    headers: { ...single, prefer: 'return=representation' },
    answers: '401 401 401 406 406 406 200 200',
  },
  'DELETE /rest/v1/*': {
    path: '/rest/v1/subset_metadata?subset_name=eq.doomed&select=id',
    headers: { ...single, prefer: 'return=representation' },
    answers: '401 401 401 406 406 406 200 406',
  },
  'PUT /rest/v1/*': {
    path: '/rest/v1/subset_metadata',
    body: {},
    answers: '401 401 405 405 405 405 405 405',
  },
} satisfies Entries;
