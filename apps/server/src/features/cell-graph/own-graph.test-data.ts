import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { trajectory } from '@cellfolio/analyses';
import { type AnalysisAnswer, analysisCall } from '@cellfolio/contract';
import { noteDifferences } from '@cellfolio/model/testing';
import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import type { apiClient } from '../../testing/running-server.ts';

interface ScanpyReference {
  root: string;
  groupby: string;
  groups: string[];
  nearest: number;
  eigenvalues: number[];
  pseudotime: (number | null)[];
  connectivities: number[][];
}

export const fixtures = join(import.meta.dirname, 'fixtures');

/** Written by fixtures/analysis/own_graph_reference.py with scanpy. */
export const references = JSON.parse(
  readFileSync(join(fixtures, 'own-graph-reference.json'), 'utf8'),
) as Record<'own' | 'blood', ScanpyReference>;

type TrajectoryAnswer = AnalysisAnswer<typeof trajectory>;
export const { path: trajectoryPath } = trajectory;

export async function order(api: ReturnType<typeof apiClient>, body: object): Promise<TrajectoryAnswer> {
  const { status, body: answer } = await api.post(trajectoryPath, body);
  expect([status, answer.message]).toEqual([200, undefined]);
  return analysisCall(trajectory).answer.parse(answer);
}

export function cellRows(answer: TrajectoryAnswer): Record<string, string>[] {
  return parse(answer.cells_csv!, { columns: true, comment: '#', comment_no_infix: true });
}

export function expectScanpy(answer: TrajectoryAnswer, reference: ScanpyReference): void {
  const times = cellRows(answer).map((row) => Number(row['pseudotime']));
  const theirs = reference.pseudotime.map((time) => time ?? Infinity);
  expect(times).toHaveLength(theirs.length);
  noteDifferences('pseudotime', times, theirs, 1);
  times.forEach((time, cell) => expect(Math.abs(time - theirs[cell]!)).toBeLessThan(1e-4));
  noteDifferences('trajectory', answer.eigenvalues, reference.eigenvalues, 1);
  answer.eigenvalues.forEach((value, at) =>
    expect(Math.abs(value - reference.eigenvalues[at]!)).toBeLessThan(1e-6),
  );
  const actual = new Map(answer.connectivities.map((edge) => [edge.groups.join('|'), edge.connectivity]));
  reference.groups.forEach((one, i) => {
    reference.groups.slice(i + 1).forEach((other, at) => {
      const expected = reference.connectivities[i]![i + 1 + at]!;
      expect(Math.abs((actual.get(`${one}|${other}`) ?? 0) - expected)).toBeLessThan(1e-6);
    });
  });
}
