import { clustersTitle } from '@cellfolio/figures/content';
import { describe, expect, test } from 'vitest';
import { planCellTypePlots } from './cell-type-panel.tsx';

describe('what cell type plots are drawn', () => {
  const exists = {
    cellType: (name: string) => name === 'T cell',
    clusters: (names: readonly string[]) => names.join() === '0,1',
  };

  test('cell types and combinations of clusters that exist are not drawn again', () => {
    expect(planCellTypePlots(['T cell', 'NK'], ['0', '1'], exists)).toEqual({
      wanted: ['NK'],
      done: ['T cell'],
      clusters: [],
      clustersDone: true,
    });
  });

  test('another combination of the same clusters is another image, and no clusters are none', () => {
    expect(planCellTypePlots(['T cell'], ['0'], exists)).toMatchObject({
      clusters: ['0'],
      clustersDone: false,
    });
    expect(planCellTypePlots(['T cell'], [], exists)).toMatchObject({ clusters: [], clustersDone: false });
  });
});

test.each([
  [['3'], 'Cluster 3'],
  [['10', '2', '1', '0'], 'Clusters 0–2, 10'],
  [['1', '0'], 'Clusters 0, 1'],
  [['b', 'a'], 'Clusters a, b'],
])('the clusters %j are called %j', (clusters, title) => {
  expect(clustersTitle(clusters)).toBe(title);
});
