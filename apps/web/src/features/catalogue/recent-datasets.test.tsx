import { describe, expect, test } from 'vitest';
import { relativeTime } from '@/lib/format.ts';
import { readRecentDatasets, recentDatasetsKey, rememberDataset } from './recent-datasets.ts';

const remember = (disease: string, dataset: string, timestamp: number) =>
  rememberDataset({ disease, dataset, timestamp });

describe('recent datasets', () => {
  test('keeps the five newest in local storage, newest first', () => {
    for (let n = 1; n <= 7; n++) remember('Blood', `d${n}`, n);
    expect(readRecentDatasets().map(({ dataset }) => dataset)).toEqual(['d7', 'd6', 'd5', 'd4', 'd3']);
    expect(JSON.parse(localStorage.getItem('cellfolio:recent-datasets') ?? '')).toHaveLength(5);
  });

  test('lists a dataset and disease once; the same dataset under another disease is another entry', () => {
    remember('Blood', 'd1', 1);
    remember('Lung', 'd1', 2);
    remember('Blood', 'd1', 3);
    expect(readRecentDatasets()).toEqual([
      { disease: 'Blood', dataset: 'd1', timestamp: 3 },
      { disease: 'Lung', dataset: 'd1', timestamp: 2 },
    ]);
  });

  test('passes over what it did not write', () => {
    localStorage.setItem(recentDatasetsKey, '{"not":"a list"}');
    expect(readRecentDatasets()).toEqual([]);
    localStorage.setItem(recentDatasetsKey, 'not json');
    expect(readRecentDatasets()).toEqual([]);
    localStorage.setItem(recentDatasetsKey, '[1, null, {"disease":"Blood","dataset":"d","timestamp":1}]');
    expect(readRecentDatasets()).toHaveLength(1);
  });
});

test('relative times read Just now, then minutes, hours and days', () => {
  const now = 1e12;
  const ago = (seconds: number) => relativeTime(now - seconds * 1000, now);
  expect([ago(0), ago(59), ago(60), ago(3599), ago(3600), ago(86_399), ago(86_400), ago(5 * 86_400)]).toEqual(
    ['Just now', 'Just now', '1m ago', '59m ago', '1h ago', '23h ago', '1d ago', '5d ago'],
  );
});
