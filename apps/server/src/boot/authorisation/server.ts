import { type Entries, nobody } from './entries.ts';

/** The server, its catalogue, analyses and own files. */
export const server = {
  // The server and its catalogue.
  'GET /healthz': { answers: '200 200 200 200 200 200 200 200' },
  'GET /readyz': { answers: '200 200 200 200 200 200 200 200' },
  'GET /config.json': { answers: '200 200 200 200 200 200 200 200' },
  'GET /api/openapi.json': { answers: '200 200 200 200 200 200 200 200' },
  'GET /api/dataset_metadata': { answers: '401 401 200 200 200 200 200 401' },
  'GET /api/damaged-datasets': { answers: '401 401 200 200 200 200 200 401' },
  'GET /api/gene-datasets': {
    path: '/api/gene-datasets?genes=CD3E',
    answers: '401 401 200 200 200 200 200 401',
  },
  'GET /api/datasets/:datasetFilename/umap.png': {
    path: '/api/datasets/tiny.h5ad/umap.png',
    answers: '200 200 200 200 200 200 200 200',
  },

  // Analyses: without a dataset, or with nothing in the body, whoever is admitted hears 400.
  'GET /api/dataset_analysis/:datasetFilename': {
    path: '/api/dataset_analysis/none.h5ad',
    answers: '401 401 401 404 403 404 404 401',
  },
  'GET /api/gene-set-libraries': { answers: '401 401 401 200 403 200 200 401' },
  // Operators alone: of the callers here nobody is one. What they hear is in pull-gene-sets.test.ts.
  'POST /api/gene-set-libraries/pull': { body: {}, answers: '401 401 401 403 403 403 403 401' },
  'GET /api/progress/:requestId': {
    path: '/api/progress/not%20one',
    answers: '401 401 401 400 400 400 400 401',
  },
  'POST /api/filter-active-dataset': { body: {}, answers: '401 401 401 400 403 400 400 401' },
  'POST /api/preview-filter': { body: {}, answers: '401 401 401 400 403 400 400 401' },
  'POST /api/plot-umap-with-genes': { body: {}, answers: '401 401 401 400 403 400 400 401' },
  'POST /api/plot-signature-enrichment': { body: {}, answers: '401 401 401 400 403 400 400 401' },
  'POST /api/plot-umap-with-cell-state': { body: {}, answers: '401 401 401 400 403 400 400 401' },
  'POST /api/plot-isolated-cell-types': {
    body: { plot_type: 0 },
    answers: '401 401 401 400 403 400 400 401',
  },
  'POST /api/perform-marker-analysis': { body: { groupby: 0 }, answers: '401 401 401 400 403 400 400 401' },
  'POST /api/perform-pathway-analysis': { body: {}, answers: '401 401 401 400 403 400 400 401' },
  'POST /api/export-cells': { body: { genes: 0 }, answers: '401 401 401 400 403 400 400 401' },
  'POST /api/render-figure': { body: {}, answers: '401 401 401 400 403 400 400 401' },

  // Short links: whoever is signed in makes them and follows those of others; this one nobody has made.
  'POST /api/links': {
    body: { address: '/explorer?dataset=tiny.h5ad' },
    answers: '401 401 401 200 200 200 200 401',
  },
  'GET /api/links/:linkId': { path: '/api/links/unknown', answers: '401 401 401 404 404 404 404 401' },

  // Own files: whoever is signed in sees their own; other people's are not there. Making something needs the plan.
  'GET /api/own-files': { answers: '401 401 401 200 200 200 200 401' },
  'POST /api/convert': {
    body: { file_ids: [nobody, nobody, nobody] },
    answers: '401 401 401 403 403 403 404 401',
  },
  'POST /api/files/:fileId/build': {
    path: `/api/files/${nobody}/build`,
    body: {},
    answers: '401 401 401 403 403 403 404 401',
  },
  'POST /api/files/:fileId/inspect': {
    path: `/api/files/${nobody}/inspect`,
    answers: '401 401 401 403 403 403 404 401',
  },
  'GET /api/jobs/:jobId': {
    path: `/api/jobs/${nobody}`,
    answers: '401 401 401 404 404 404 404 401',
  },
  'POST /api/jobs/:jobId/cancel': {
    path: `/api/jobs/${nobody}/cancel`,
    answers: '401 401 401 404 404 404 404 401',
  },
} satisfies Entries;
