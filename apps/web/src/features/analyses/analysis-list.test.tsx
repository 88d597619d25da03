import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { cellTypes, composition, markers, trajectory } from '@cellfolio/analyses';
import { expect, test, vi } from 'vitest';
import { declaredAnalysis } from '@/features/declarations/index.ts';
import { createQueryClient } from '@/lib/query-client.ts';
import { ServicesContext } from '@/lib/services.ts';
import { datasetAnalysis, fakeServices, json } from '@/testing/fakes.ts';
import { AnalysisList } from './analysis-list.tsx';

const modules = [markers, cellTypes, composition, trajectory].map(declaredAnalysis);

function show(obs: readonly object[], lastUsed = modules.slice(0, 0)) {
  const fake = fakeServices();
  const analysis = datasetAnalysis();
  fake.answer(`/api/datasets/${analysis.dataset_filename}/columns`, () =>
    json({ version: '1', cell_count: 700, embeddings: [], obs }),
  );
  const onChoose = vi.fn();
  render(
    <ServicesContext value={fake.services}>
      <QueryClientProvider client={createQueryClient()}>
        <AnalysisList {...{ modules, lastUsed, analysis, onChoose }} />
      </QueryClientProvider>
    </ServicesContext>,
  );
  return { user: userEvent.setup(), onChoose };
}
const entry = (name: string) => screen.getByRole('button', { name });
const titlesOf = (section: string) =>
  within(screen.getByRole('region', { name: section }))
    .getAllByRole('button')
    .map((button) => button.textContent);

test('an analysis that the columns of the dataset do not allow says why, and cannot be chosen', async () => {
  const { user, onChoose } = show([{ name: 'age', title: 'Age', kind: 'levels' }]);
  expect(await screen.findByText(/^Needs a column with two or more groups/)).toBeVisible();
  expect(entry('Cell Type Annotation')).toHaveAccessibleDescription(/annotate the cells first/);
  expect(entry('Composition Analysis')).toHaveAttribute('aria-disabled', 'true');
  await user.click(entry('Cell Type Annotation'));
  expect(onChoose).not.toHaveBeenCalled();
  // Numbers are cut into groups.
  await user.click(entry('Marker Analysis'));
  expect(onChoose).toHaveBeenCalledExactlyOnceWith(modules[0]);
});

test('analyses stand by what they are for, and the two that were used last come first', async () => {
  const own = { name: 'mine', title: 'Mine', kind: 'categories', categories: 3, own: true };
  const { user, onChoose } = show([own], [modules[3]!, modules[1]!, modules[3]!, modules[0]!]);
  expect(titlesOf('Last used')).toEqual(['Trajectory Analysis', 'Cell Type Annotation']);
  expect(titlesOf('Annotate')).toEqual(['Marker Analysis']);
  expect(screen.queryByRole('region', { name: 'Order' })).toBeNull();
  await user.click(entry('Cell Type Annotation'));
  expect(onChoose).toHaveBeenCalledExactlyOnceWith(modules[1]);
});
