import type { FileReport, Job, UserFileRecord, UserFileList } from '@cellfolio/contract';

const start = '2026-01-31T12:00:00Z';

export function testId(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

export function testJob(overrides: Partial<Job> = {}): Job {
  return {
    id: testId(900),
    kind: 'build',
    file_ids: [testId(1)],
    name: 'atlas.h5ad',
    state: 'running',
    stage: 'Finding neighbors',
    progress: 0.4,
    log: [{ at: start, text: 'Read 10,000 cells.' }],
    attempts: 1,
    problem: null,
    result_file_id: null,
    created_at: start,
    started_at: start,
    finished_at: null,
    ...overrides,
  };
}

export function endedJob(state: 'done' | 'failed' | 'cancelled', overrides: Partial<Job> = {}): Job {
  return testJob({
    state,
    progress: state === 'done' ? 1 : 0.4,
    finished_at: '2026-01-31T12:00:08Z',
    ...overrides,
  });
}

export function testFile(file_id: string, overrides: Partial<UserFileRecord> = {}): UserFileRecord {
  return {
    file_id,
    name: 'cells.h5ad',
    report: null,
    problem: null,
    dataset: null,
    said: null,
    combined: null,
    part_of: null,
    copy_of: null,
    ...overrides,
  };
}

export function testOwnFiles(overrides: Partial<UserFileList> = {}): UserFileList {
  return { files: [], jobs: [], quota_bytes: 200e9, most_files: 1000, ...overrides };
}

export function testDataset(overrides: Partial<NonNullable<UserFileRecord['dataset']>> = {}) {
  return {
    state: 'ready' as const,
    job_id: testId(900),
    cells: 9871,
    genes: 1000,
    columns: {},
    processing: {},
    version: 'v1',
    made_with: null,
    made_before: null,
    processed: null,
    warnings: [],
    problem: null,
    ...overrides,
  };
}

export const processedRecord = {
  computedBy: 'scran.js 4.0.0',
  computed: ['qualityControl' as const, 'clusters' as const, 'embedding' as const],
  cellsBefore: 10_000,
  cellsKept: 9871,
  thresholds: { minimumCounts: 512.3, minimumGenes: 201, maximumMitochondrial: 0.123 },
  variableGenes: 1000,
  components: 50,
  neighbours: 15,
  resolution: 1,
  clusterCount: 14,
  minimumDistance: 0.5,
};

export function h5adReport(overrides: Partial<Extract<FileReport, { kind: 'h5ad' }>> = {}) {
  return {
    kind: 'h5ad' as const,
    cells: 10_000,
    genes: 1000,
    expression: 'X holds raw counts; they are normalized to 10,000 a cell.',
    otherFeatures: [],
    hasCounts: true,
    roles: [
      { role: 'cellType' as const, why: 'no column is named so', alternatives: ['labels', 'automatic'] },
      { role: 'cluster' as const, chosen: 'leiden', why: 'found by its name', alternatives: ['louvain'] },
      { role: 'embedding' as const, why: 'the file holds no embedding', alternatives: [] },
    ],
    metadata: ['Sample', '<i>Batch</i>'],
    willCompute: ['qualityControl' as const, 'clusters' as const, 'embedding' as const],
    waitsFor: [],
    plans: ['Clusters and a UMAP will be computed from the raw counts.'],
    notes: ['uns was not taken over.'],
    warnings: [{ code: 'repeated-symbols', message: '1 gene has a symbol that an earlier gene has too.' }],
    ...overrides,
  };
}

export function matrixReport(rows: number, columns: number, entries = 691_914) {
  return { kind: 'matrix' as const, rows, columns, entries, notes: [] };
}

export function tableReport(kind: 'barcodes' | 'features' | 'unknown', lines: number) {
  return { kind, lines, columns: 1, first: ['AAACCTG-1', 'AAACCTC-1'], notes: [] };
}
