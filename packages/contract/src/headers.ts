/** Names of the headers of `/api`, in lower case as Node gives them. */
export const apiHeaders = {
  apiKey: 'x-api-key',
  /** One per browser tab: each tab has its own active dataset. */
  session: 'x-session-id',
  request: 'x-request-id',
} as const;
