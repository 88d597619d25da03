import { becomeNewUser } from './support/accounts.ts';
import { addGenes } from './support/explorer.ts';
import { expect, test } from './support/test.ts';

test('CD79A is high in B cells only, and CST3 in monocytes and dendritic cells', async ({ page }) => {
  await becomeNewUser(page);
  await page.goto('/explorer?disease=Healthy&dataset=pbmc68k_reduced.h5ad');
  await addGenes(page, 'Search genes', 'CD79A, CST3');
  await page.getByLabel('Generate Expression by Cell Type Violin Plot').check();
  const answered = page.waitForResponse(/plot-umap-with-genes/);
  await page.getByRole('button', { name: 'Visualize Selected Genes (2)' }).click();
  const answer = (await (await answered).json()) as GeneAnswer;
  expect(answer.found_genes).toEqual(['CD79A', 'CST3']);
  expect(answer.plots.map(({ gene, plot_type }) => `${gene} ${plot_type}`)).toEqual([
    'CD79A umap',
    'CD79A violin',
    'CST3 umap',
    'CST3 violin',
  ]);
  await expect(page.getByRole('img', { name: /CD79A/ }).first()).toBeVisible();
  await expect(page.getByRole('img', { name: /CST3/ }).first()).toBeVisible();

  // scanpy.get.obs_df on raw.X, grouped by bulk_labels, gives these means.
  const cd79a = meanByCellType(answer, 'CD79A');
  expect(cd79a.get('CD19+ B')).toBeCloseTo(3.148274, 5);
  for (const [type, mean] of cd79a) if (type !== 'CD19+ B') expect(mean, type).toBeLessThan(1);
  const cst3 = meanByCellType(answer, 'CST3');
  expect(cst3.get('CD14+ Monocyte')).toBeCloseTo(3.60986, 5);
  expect(cst3.get('Dendritic')).toBeCloseTo(4.3091, 5);
  for (const [type, mean] of cst3) if (!/Monocyte|Dendritic/.test(type)) expect(mean, type).toBeLessThan(1);
});

interface GeneAnswer {
  found_genes: readonly string[];
  plots: readonly {
    gene: string;
    plot_type: string;
    figure: { groups?: readonly { label: string; mean: number }[] };
  }[];
}

function meanByCellType(answer: GeneAnswer, symbol: string): Map<string, number> {
  const violin = answer.plots.find(({ gene, plot_type }) => gene === symbol && plot_type === 'violin');
  return new Map(violin?.figure.groups?.map(({ label, mean }) => [label, mean]));
}
