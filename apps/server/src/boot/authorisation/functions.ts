import type { Entries } from './entries.ts';

/** The functions. */
export const functions = {
  'POST /functions/v1/check-subscription': { answers: '401 401 401 200 200 200 200 401' },
  'POST /functions/v1/create-checkout': {
    body: { plan: 'none' },
    answers: '401 401 401 400 400 400 400 401',
  },
  'POST /functions/v1/customer-portal': { answers: '401 401 401 503 503 503 503 401' },
  'POST /functions/v1/send-contact-email': { body: {}, answers: '401 401 400 400 400 400 400 400' },
  'POST /functions/v1/analyze-image': { body: {}, answers: '401 401 401 403 403 403 400 401' },
} satisfies Entries;
