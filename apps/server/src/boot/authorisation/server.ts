import { declarations } from '@cellfolio/analyses';
import { type Entries, missingId } from './matrix-entry.ts';

export const server = {
  // The server and its catalogue.
  'GET /healthz': { answers: '200 200 200 200 200 200 200 200 200 200' },
  'GET /readyz': { answers: '200 200 200 200 200 200 200 200 200 200' },
  'GET /config.json': { answers: '200 200 200 200 200 200 200 200 200 200' },
  'GET /oembed': {
    path: '/oembed?url=none',
    answers: '404 404 404 404 404 404 404 404 404 404',
  },
  'GET /api/openapi.json': { answers: '200 200 200 200 200 200 200 200 200 200' },
  'GET /api/dataset_metadata': { scope: 'read', answers: '401 401 200 200 200 200 200 200 200 401' },
  'GET /api/damaged-datasets': { scope: 'read', answers: '401 401 200 200 200 200 200 200 200 401' },
  'GET /api/gene-datasets': {
    scope: 'read',
    path: '/api/gene-datasets?genes=CD3E',
    answers: '401 401 200 200 200 200 200 200 200 401',
  },
  'GET /api/gene-summary': {
    scope: 'read',
    path: '/api/gene-summary?gene=CD3E',
    answers: '401 401 401 401 200 403 200 200 401 401',
  },
  'GET /api/gene-summary-file': {
    scope: 'read',
    path: '/api/gene-summary-file?gene=NONE',
    answers: '401 401 401 401 400 403 400 400 401 401',
  },
  'GET /api/datasets/:datasetFilename/umap.png': {
    path: '/api/datasets/tiny.h5ad/umap.png',
    answers: '200 200 200 200 200 200 200 200 200 200',
  },

  // Anybody may list the tools, but with a token that is valid; what they do is decided by the calls of `/api` that they make.
  'POST /mcp': {
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    headers: { accept: 'application/json, text/event-stream' },
    answers: '200 200 401 200 200 200 200 200 401 401',
  },
  'GET /mcp': { answers: '405 405 401 405 405 405 405 405 401 401' },
  'DELETE /mcp': { answers: '405 405 401 405 405 405 405 405 401 401' },

  // Analyses: admitted requests have no dataset or an invalid body; those of a visitor name the demo dataset, of which
  // only its maps and the drawing of figures are open.
  'GET /api/dataset_analysis/:datasetFilename': {
    scope: 'read',
    path: '/api/dataset_analysis/none.h5ad',
    answers: '401 401 401 200 404 403 404 404 401 401',
  },
  'GET /api/datasets/:datasetFilename/assets': {
    scope: 'read',
    path: '/api/datasets/none.h5ad/assets',
    answers: '401 401 401 401 404 403 404 404 401 401',
  },
  'GET /api/datasets/:datasetFilename/assets/:name': {
    scope: 'export',
    path: '/api/datasets/none.h5ad/assets/slide.png',
    answers: '401 401 401 401 404 403 404 404 401 401',
  },
  'GET /api/ontology-terms': {
    scope: 'read',
    path: '/api/ontology-terms?ontology=CL&query=t%20cell',
    answers: '401 401 401 401 200 403 200 200 401 401',
  },
  'POST /api/ontology-terms/called': {
    scope: 'read',
    body: {},
    answers: '401 401 401 401 400 403 400 400 401 401',
  },
  'GET /api/datasets/:datasetFilename/terms': {
    scope: 'read',
    path: '/api/datasets/none.h5ad/terms',
    answers: '401 401 401 200 404 403 404 404 401 401',
  },
  'GET /api/datasets/:datasetFilename/columns': {
    scope: 'read',
    path: '/api/datasets/none.h5ad/columns',
    answers: '401 401 401 200 404 403 404 404 401 401',
  },
  'GET /api/datasets/:datasetFilename/columns/embedding/:name': {
    scope: 'export',
    path: '/api/datasets/none.h5ad/columns/embedding/X_umap',
    answers: '401 401 401 200 404 403 404 404 401 401',
  },
  'GET /api/datasets/:datasetFilename/columns/obs/:name': {
    scope: 'export',
    path: '/api/datasets/none.h5ad/columns/obs/cell_type',
    answers: '401 401 401 200 404 403 404 404 401 401',
  },
  'GET /api/datasets/:datasetFilename/columns/gene/:name': {
    scope: 'export',
    path: '/api/datasets/none.h5ad/columns/gene/CD79A',
    answers: '401 401 401 200 404 403 404 404 401 401',
  },
  'GET /api/datasets/:datasetFilename/columns/cell/:place': {
    scope: 'read',
    path: '/api/datasets/none.h5ad/columns/cell/0',
    answers: '401 401 401 200 404 403 404 404 401 401',
  },
  'POST /api/datasets/:datasetFilename/columns/score': {
    scope: 'export',
    path: '/api/datasets/none.h5ad/columns/score',
    body: {},
    answers: '401 401 401 401 400 403 400 400 401 401',
  },
  'POST /api/datasets/:datasetFilename/columns/mask': {
    scope: 'export',
    path: '/api/datasets/none.h5ad/columns/mask',
    body: {},
    answers: '401 401 401 401 400 403 400 400 401 401',
  },
  'POST /api/datasets/:datasetFilename/columns/points': {
    scope: 'analyse',
    path: '/api/datasets/none.h5ad/columns/points',
    body: {},
    answers: '401 401 401 200 404 403 404 404 401 401',
  },
  'GET /api/datasets/:datasetFilename/annotations': {
    scope: 'read',
    path: '/api/datasets/none.h5ad/annotations',
    answers: '401 401 401 401 404 403 404 404 401 401',
  },
  'POST /api/datasets/:datasetFilename/annotations': {
    scope: 'label',
    path: '/api/datasets/none.h5ad/annotations',
    body: {},
    answers: '401 401 401 401 400 403 400 400 401 401',
  },
  'POST /api/datasets/:datasetFilename/annotations/import': {
    scope: 'label',
    path: '/api/datasets/none.h5ad/annotations/import',
    answers: '401 401 401 401 400 403 400 400 401 401',
  },
  'POST /api/datasets/:datasetFilename/annotations/from-link': {
    scope: 'label',
    path: '/api/datasets/none.h5ad/annotations/from-link',
    body: { link: 'x' },
    answers: '401 401 401 401 404 403 404 404 401 401',
  },
  'POST /api/datasets/:datasetFilename/number-columns': {
    scope: 'label',
    path: '/api/datasets/none.h5ad/number-columns',
    body: {},
    answers: '401 401 401 401 400 403 400 400 401 401',
  },
  'PATCH /api/annotations/:annotationId': {
    scope: 'label',
    path: `/api/annotations/${missingId}`,
    body: { name: 'x' },
    answers: '401 401 401 401 404 403 404 404 401 401',
  },
  'DELETE /api/annotations/:annotationId': {
    scope: 'label',
    path: `/api/annotations/${missingId}`,
    answers: '401 401 401 401 404 403 404 404 401 401',
  },
  'POST /api/annotations/:annotationId/changes': {
    scope: 'label',
    path: `/api/annotations/${missingId}/changes`,
    body: { revision: 1, change: { change: 'remove', group: 'x' } },
    answers: '401 401 401 401 404 403 404 404 401 401',
  },
  'POST /api/annotations/:annotationId/revision': {
    scope: 'label',
    path: `/api/annotations/${missingId}/revision`,
    body: { revision: 1, to: 1 },
    answers: '401 401 401 401 404 403 404 404 401 401',
  },
  'POST /api/annotations/:annotationId/carry-over': {
    scope: 'label',
    path: `/api/annotations/${missingId}/carry-over`,
    body: { revision: 1 },
    answers: '401 401 401 401 404 403 404 404 401 401',
  },
  'GET /api/datasets/:datasetFilename/category-displays': {
    scope: 'read',
    path: '/api/datasets/none.h5ad/category-displays',
    answers: '401 401 401 401 404 403 404 404 401 401',
  },
  'GET /api/datasets/:datasetFilename/category-displays/:column': {
    scope: 'read',
    path: '/api/datasets/none.h5ad/category-displays/x',
    answers: '401 401 401 401 404 403 404 404 401 401',
  },
  'PUT /api/datasets/:datasetFilename/category-displays/:column': {
    scope: 'label',
    path: '/api/datasets/none.h5ad/category-displays/x',
    body: { revision: 0, categories: [{ name: 'x' }] },
    answers: '401 401 401 401 404 403 404 404 401 401',
  },
  'DELETE /api/datasets/:datasetFilename/category-displays/:column': {
    scope: 'label',
    path: '/api/datasets/none.h5ad/category-displays/x?revision=0',
    answers: '401 401 401 401 404 403 404 404 401 401',
  },
  'POST /api/datasets/:datasetFilename/gene-names': {
    scope: 'read',
    path: '/api/datasets/none.h5ad/gene-names',
    body: { names: ['CD3E'] },
    answers: '401 401 401 200 404 403 404 404 401 401',
  },
  'GET /api/gene-set-libraries': { scope: 'read', answers: '401 401 401 401 200 403 200 200 401 401' },
  // Operators only, and none of the callers is one; pull-gene-sets.test.ts tests their responses.
  'POST /api/gene-set-libraries/pull': {
    scope: 'upload',
    body: {},
    answers: '401 401 401 401 403 403 403 403 401 401',
  },
  'GET /api/scopes': { scope: 'any', answers: '401 401 401 401 200 200 200 200 401 401' },
  'GET /api/progress/:requestId': {
    scope: 'any',
    path: '/api/progress/not%20one',
    answers: '401 401 401 401 400 400 400 400 401 401',
  },
  'POST /api/filter-active-dataset': {
    scope: 'read',
    body: {},
    answers: '401 401 401 401 400 403 400 400 401 401',
  },
  'POST /api/cell-sets': { scope: 'read', body: {}, answers: '401 401 401 401 400 403 400 400 401 401' },
  'POST /api/preview-filter': { scope: 'read', body: {}, answers: '401 401 401 401 400 403 400 400 401 401' },
  'POST /api/plot-umap-with-genes': {
    scope: 'analyse',
    body: {},
    answers: '401 401 401 401 400 403 400 400 401 401',
  },
  'POST /api/plot-signature-enrichment': {
    scope: 'analyse',
    body: {},
    answers: '401 401 401 401 400 403 400 400 401 401',
  },
  'POST /api/plot-umap-with-cell-state': {
    scope: 'analyse',
    body: {},
    answers: '401 401 401 401 400 403 400 400 401 401',
  },
  'POST /api/plot-isolated-cell-types': {
    scope: 'analyse',
    body: { plot_type: 0 },
    answers: '401 401 401 401 400 403 400 400 401 401',
  },
  'POST /api/perform-marker-analysis': {
    scope: 'analyse',
    body: { groupby: 0 },
    answers: '401 401 401 401 400 403 400 400 401 401',
  },
  'POST /api/deg-design': { scope: 'analyse', body: {}, answers: '401 401 401 401 400 403 400 400 401 401' },
  'POST /api/perform-deg-analysis': {
    scope: 'analyse',
    body: {},
    answers: '401 401 401 401 400 403 400 400 401 401',
  },
  'POST /api/perform-decile-analysis': {
    scope: 'analyse',
    body: {},
    answers: '401 401 401 401 400 403 400 400 401 401',
  },
  ...Object.fromEntries(
    declarations.map(({ path }) => [
      `POST ${path}`,
      { scope: 'analyse' as const, body: {}, answers: '401 401 401 401 400 403 400 400 401 401' },
    ]),
  ),
  'GET /api/ligand-receptor-pairs': { scope: 'read', answers: '401 401 401 401 200 403 200 200 401 401' },
  'POST /api/classify-cells': {
    scope: 'analyse',
    body: {},
    answers: '401 401 401 401 400 403 400 400 401 401',
  },
  'GET /api/cell-models': { scope: 'read', answers: '401 401 401 401 200 403 200 200 401 401' },
  'GET /api/cell-type-markers': { scope: 'read', answers: '401 401 401 401 200 403 200 200 401 401' },
  'POST /api/perform-trajectory-analysis': {
    scope: 'analyse',
    body: {},
    answers: '401 401 401 401 400 403 400 400 401 401',
  },
  'POST /api/perform-gradient-analysis': {
    scope: 'analyse',
    body: {},
    answers: '401 401 401 401 400 403 400 400 401 401',
  },
  'POST /api/perform-co-expression-analysis': {
    scope: 'analyse',
    body: { fdr: 0 },
    answers: '401 401 401 401 400 403 400 400 401 401',
  },
  'POST /api/perform-pathway-analysis': {
    scope: 'analyse',
    body: {},
    answers: '401 401 401 401 400 403 400 400 401 401',
  },
  'POST /api/perform-ranked-enrichment': {
    scope: 'analyse',
    body: {},
    answers: '401 401 401 401 400 403 400 400 401 401',
  },
  'POST /api/export-cells': {
    scope: 'export',
    body: { genes: 0 },
    answers: '401 401 401 401 400 403 400 400 401 401',
  },
  'POST /api/export-dataset': {
    scope: 'export',
    body: {},
    answers: '401 401 401 401 400 403 400 400 401 401',
  },
  'POST /api/export-dataset/contents': {
    scope: 'export',
    body: {},
    answers: '401 401 401 401 400 403 400 400 401 401',
  },
  'POST /api/render-figure': {
    scope: 'analyse',
    body: {},
    answers: '401 401 401 400 400 403 400 400 401 401',
  },

  // Short links: users create them and follow those of others; this one does not exist.
  'POST /api/links': {
    scope: 'label',
    body: { address: '/explorer?dataset=tiny.h5ad' },
    answers: '401 401 401 401 200 200 200 200 401 401',
  },
  'GET /api/links/:linkId': {
    scope: 'read',
    path: '/api/links/unknown',
    answers: '401 401 401 401 404 404 404 404 401 401',
  },

  // Gene lists: users have their own; this one does not exist.
  'GET /api/gene-lists': { scope: 'read', answers: '401 401 401 401 200 200 200 200 401 401' },
  'POST /api/gene-lists': {
    scope: 'label',
    body: { name: 'NEW', genes: ['CD3E'] },
    answers: '401 401 401 401 200 200 200 200 401 401',
  },
  'PATCH /api/gene-lists/:geneListId': {
    scope: 'label',
    path: `/api/gene-lists/${missingId}`,
    body: { revision: 1, name: 'x' },
    answers: '401 401 401 401 404 404 404 404 401 401',
  },
  'DELETE /api/gene-lists/:geneListId': {
    scope: 'label',
    path: `/api/gene-lists/${missingId}`,
    answers: '401 401 401 401 404 404 404 404 401 401',
  },

  // Analyses of a dataset that a user ran.
  // Refused before the body: this server has no model.
  'POST /api/assistant/plan': {
    scope: 'analyse',
    body: {},
    answers: '401 401 401 401 403 403 403 404 401 401',
  },
  'POST /api/assistant/run': {
    scope: 'analyse',
    body: {},
    answers: '401 401 401 401 403 403 403 404 401 401',
  },
  'GET /api/assistant/consent': { scope: 'read', answers: '401 401 401 401 403 403 403 404 401 401' },
  'POST /api/assistant/consent': { body: {}, answers: '401 401 401 401 403 403 403 404 401 401' },
  'GET /api/datasets/:datasetFilename/questions': {
    scope: 'read',
    path: '/api/datasets/none.h5ad/questions',
    answers: '401 401 401 401 404 404 404 404 401 401',
  },
  'GET /api/questions/:questionId': {
    scope: 'read',
    path: `/api/questions/${missingId}`,
    answers: '401 401 401 401 404 404 404 404 401 401',
  },
  'DELETE /api/questions/:questionId': {
    scope: 'label',
    path: `/api/questions/${missingId}`,
    answers: '401 401 401 401 404 404 404 404 401 401',
  },
  'GET /api/datasets/:datasetFilename/kept-analyses': {
    scope: 'read',
    path: '/api/datasets/none.h5ad/kept-analyses',
    answers: '401 401 401 401 404 404 404 404 401 401',
  },
  'POST /api/datasets/:datasetFilename/kept-analyses': {
    scope: 'label',
    path: '/api/datasets/none.h5ad/kept-analyses',
    body: {},
    answers: '401 401 401 401 400 400 400 400 401 401',
  },
  'PATCH /api/kept-analyses/:analysisId': {
    scope: 'label',
    path: `/api/kept-analyses/${missingId}`,
    body: { name: 'x' },
    answers: '401 401 401 401 404 404 404 404 401 401',
  },
  'DELETE /api/kept-analyses/:analysisId': {
    scope: 'label',
    path: `/api/kept-analyses/${missingId}`,
    answers: '401 401 401 401 404 404 404 404 401 401',
  },

  // The account: of a signed-in user; the one that would be deleted has another address.
  'GET /api/account': { answers: '401 401 401 401 200 200 200 200 401 401' },
  'GET /api/account/archive': { answers: '401 401 401 401 200 200 200 200 401 401' },
  'POST /api/account/delete': {
    body: { email: 'somebody@example.org', password: 'x' },
    answers: '401 401 401 401 400 400 400 400 401 401',
  },

  // Connected apps: of a signed-in user. The metadata and the exchange of codes are open; this code is none.
  'POST /api/app-requests': { body: {}, answers: '401 401 401 401 400 400 400 400 401 401' },
  'GET /api/connected-apps': { answers: '401 401 401 401 200 200 200 200 401 401' },
  'POST /api/connected-apps': { body: {}, answers: '401 401 401 401 400 400 400 400 401 401' },
  'DELETE /api/connected-apps/:appId': {
    path: `/api/connected-apps/${missingId}`,
    answers: '401 401 401 401 404 404 404 404 401 401',
  },
  'GET /api/tool-calls': { answers: '401 401 401 401 200 200 200 200 401 401' },
  'GET /.well-known/oauth-protected-resource': { answers: '200 200 200 200 200 200 200 200 200 200' },
  'GET /.well-known/oauth-protected-resource/mcp': { answers: '200 200 200 200 200 200 200 200 200 200' },
  'GET /.well-known/oauth-authorization-server': { answers: '200 200 200 200 200 200 200 200 200 200' },
  'POST /oauth/token': { answers: '400 400 400 400 400 400 400 400 400 400' },
  'POST /oauth/revoke': { answers: '200 200 200 200 200 200 200 200 200 200' },

  // Own files: users see their own only. Creating datasets requires the Professional plan.
  'GET /api/own-files': { scope: 'read', answers: '401 401 401 401 200 200 200 200 401 401' },
  'POST /api/convert': {
    scope: 'upload',
    body: { file_ids: [missingId, missingId, missingId] },
    answers: '401 401 401 401 403 403 403 404 401 401',
  },
  'POST /api/combine': {
    scope: 'upload',
    body: {
      file_name: 'both',
      samples: ['A', 'B'].map((sample, at) => ({ file_id: missingId.replace(/0$/, String(at)), sample })),
    },
    answers: '401 401 401 401 403 403 403 404 401 401',
  },
  'GET /api/subclusterings/:datasetFilename': {
    scope: 'read',
    path: '/api/subclusterings/none.h5ad',
    answers: '401 401 401 401 404 403 404 404 401 401',
  },
  'POST /api/subclusterings': {
    scope: 'upload',
    body: { name: 'T cells' },
    answers: '401 401 401 401 400 403 400 400 401 401',
  },
  'POST /api/cellxgene-check': {
    scope: 'read',
    body: {},
    answers: '401 401 401 401 400 403 400 400 401 401',
  },
  'POST /api/cellxgene-files': {
    scope: 'upload',
    body: { name: 'For the portal' },
    answers: '401 401 401 401 400 403 400 400 401 401',
  },
  'POST /api/linked-data': {
    scope: 'upload',
    body: { link: 'nothing' },
    answers: '401 401 401 401 403 403 403 400 401 401',
  },
  'POST /api/downloads': {
    scope: 'upload',
    body: { link: 'nothing', datasets: ['a'] },
    answers: '401 401 401 401 403 403 403 400 401 401',
  },
  'POST /api/jobs/:jobId/again': {
    scope: 'upload',
    path: `/api/jobs/${missingId}/again`,
    answers: '401 401 401 401 403 403 403 404 401 401',
  },
  'POST /api/files/:fileId/build': {
    scope: 'upload',
    path: `/api/files/${missingId}/build`,
    body: {},
    answers: '401 401 401 401 403 403 403 404 401 401',
  },
  'POST /api/files/:fileId/inspect': {
    scope: 'upload',
    path: `/api/files/${missingId}/inspect`,
    answers: '401 401 401 401 403 403 403 404 401 401',
  },
  'GET /api/jobs/:jobId': {
    scope: 'read',
    path: `/api/jobs/${missingId}`,
    answers: '401 401 401 401 404 404 404 404 401 401',
  },
  'POST /api/jobs/:jobId/cancel': {
    scope: 'upload',
    path: `/api/jobs/${missingId}/cancel`,
    answers: '401 401 401 401 404 404 404 404 401 401',
  },
} satisfies Entries;

export const functions = {
  'POST /functions/v1/check-subscription': { answers: '401 401 401 401 200 200 200 200 200 401' },
  'POST /functions/v1/create-checkout': {
    body: { plan: 'none' },
    answers: '401 401 401 401 400 400 400 400 403 401',
  },
  'POST /functions/v1/customer-portal': { answers: '401 401 401 401 503 503 503 503 403 401' },
  'POST /functions/v1/send-contact-email': { body: {}, answers: '401 401 400 400 400 400 400 400 400 400' },
  'POST /functions/v1/analyze-image': { body: {}, answers: '401 401 401 401 403 403 403 400 403 401' },
} satisfies Entries;

const single = { accept: 'application/vnd.pgrst.object+json' };

export const rows = {
  // Rows: one of the professional user's.
  'GET /rest/v1/*': {
    path: '/rest/v1/subset_metadata?subset_name=eq.mine&select=subset_name',
    headers: single,
    seen: 'mine',
    answers: '401 401 401 401 406 406 406 200 403 200',
  },
  'HEAD /rest/v1/*': {
    path: '/rest/v1/subset_metadata?subset_name=eq.mine&select=id',
    headers: single,
    answers: '401 401 401 401 406 406 406 200 403 200',
  },
  'POST /rest/v1/*': {
    path: '/rest/v1/subset_metadata',
    // Names of subsets are unique per user.
    body: { user_id: 'OWNER', subset_name: 'NEW' },
    answers: '401 401 401 401 403 403 403 201 403 201',
  },
  'PATCH /rest/v1/*': {
    path: '/rest/v1/subset_metadata?subset_name=eq.mine&select=id',
    body: { percentile: 1 },
    headers: { ...single, prefer: 'return=representation' },
    answers: '401 401 401 401 406 406 406 200 403 200',
  },
  'DELETE /rest/v1/*': {
    path: '/rest/v1/subset_metadata?subset_name=eq.doomed&select=id',
    headers: { ...single, prefer: 'return=representation' },
    answers: '401 401 401 401 406 406 406 200 403 406',
  },
  'PUT /rest/v1/*': {
    path: '/rest/v1/subset_metadata',
    body: {},
    answers: '401 401 405 405 405 405 405 405 405 405',
  },
} satisfies Entries;
