import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { dataset, explorerAddress, panel, viewer } from './support/explorer.ts';
import { expectAccessible } from './support/page-checks.ts';
import { expect, test } from './support/test.ts';
import { beginWorkflow } from './support/workflow.ts';
import { becomeProfessional } from './support/upload-page.ts';

const parent = 'Triple-negative breast tumors';

test('some cells get a map of their own in their own clusters, which are processed again with other settings and become labels of the parent', async ({
  page,
}) => {
  test.slow();
  const name = `Monocytes ${randomBytes(4).toString('hex')}`;
  await becomeProfessional(page);
  await page.goto(explorerAddress);
  const subclustering = await beginWorkflow(page, 'Subcluster a type');
  await panel(page, 'Subclustering').click();
  await page.getByRole('button', { name: 'Subcluster These Cells' }).click();
  const dialog = page.getByRole('dialog', { name: 'Subcluster These Cells' });
  await dialog.getByRole('button', { name: /^Cells: / }).click();
  const chooser = page.getByRole('dialog', { name: 'Cells', exact: true });
  await chooser.getByRole('checkbox', { name: /^Monocyte/ }).click();
  await chooser.getByRole('button', { name: 'Use these groups' }).click();
  await expectAccessible(page, dialog);
  await dialog.getByLabel('Name of the new dataset').fill(name);
  await dialog.getByLabel('Principal components').fill('10');
  await dialog.getByRole('button', { name: 'Subcluster', exact: true }).click();
  await expect(dialog).toBeHidden();
  const subclusterings = page.getByRole('list', { name: 'Subclusterings of this dataset' });
  await subclusterings.getByRole('link', { name }).click({ timeout: 150_000 });

  const card = page.getByRole('region', { name: 'Current Dataset' });
  await expect(
    card.getByText(/^Part of Triple-negative breast tumors: [\d,]+ of [\d,]+ cells, /),
  ).toBeVisible();
  await expect(card.getByText('Simulated')).toBeVisible();
  // All of its cells are of one type: it opens on its clusters.
  await subclustering.end({
    answer: viewer(page).getByRole('button', { name: 'Color by: Leiden' }),
    next: [card.getByRole('button', { name: 'Process Again' })],
  });
  await card.getByRole('button', { name: 'Process Again' }).click();
  const again = page.getByRole('dialog', { name: 'Process Again' });
  await expect(again.getByLabel('Principal components')).toHaveValue('10');
  await again.getByLabel('Resolution', { exact: true }).fill('0.3');
  await expect(again.getByRole('region', { name: 'What changes' })).toContainText(
    'Resolution: 1 (default) → 0.3',
  );
  await again.getByRole('radio', { name: 'Replace this dataset' }).click();
  await expectAccessible(page, again);
  await again.getByRole('button', { name: 'Process Again' }).click();
  // Where the progress stood, nothing of the new version is said beside the old map.
  const openNew = card.getByRole('button', { name: 'Open the new version' });
  await expect(openNew).toBeVisible({ timeout: 150_000 });
  await expect(card).not.toContainText('Changes since the previous version');
  await openNew.click();
  await expect(card.getByRole('region', { name: 'Changes since the previous version' })).toContainText(
    'Resolution: 1 (default) → 0.3',
  );

  await bringLabels(page, name);
  await page.goBack();
  await card.getByRole('link', { name: parent }).click();
  await expect(card.getByText(dataset)).toBeVisible();
});

async function bringLabels(page: Page, name: string): Promise<void> {
  const bringing = await beginWorkflow(page, 'Bring labels to the parent');
  await panel(page, 'Annotations').click();
  await page.getByRole('button', { name: 'Bring labels to parent...' }).click();
  const dialog = page.getByRole('dialog', { name: `Bring Labels to ${parent}` });
  // A number alone would say nothing beside the clusters of the parent.
  await expect(dialog.getByText(new RegExp(`^\\d+ labels: ${name} 0, ${name} 1`))).toBeVisible();
  await bringing.aside(() => expectAccessible(page, dialog));
  await dialog.getByRole('button', { name: 'Apply to annotation' }).click();
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.getByText(dataset)).toBeVisible();
  const labels = viewer(page).getByRole('list', { name: 'Categories' });
  await bringing.end({
    answer: labels.getByRole('button', { name: new RegExp(`^${name} 0`) }),
    next: [viewer(page).getByRole('button', { name: /^Color by: Leiden of /i })],
  });
  // Cells that the subclustering lacks stay without a label.
  await expect(page.getByText(/^\d+ groups, [1-9][\d,]* unlabeled$/)).toBeVisible();
}
