/** The documentation (apps/docs), which the server has beside the app: no route of it. */
export const docsPath = '/docs/';

export function analysisDocsPath(id: string): string {
  return `${docsPath}analyses/${id}`;
}

/** The page about questions and their limits. */
export const askDocsPath = `${docsPath}ask`;
