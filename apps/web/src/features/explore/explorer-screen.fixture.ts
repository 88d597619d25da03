import { screen, within } from '@testing-library/react';

/** The search box of Gene Visualization, once the dataset is open. */
export const search = () => screen.findByRole('combobox', { name: 'Search genes' });

export const visualize = () => screen.getByRole('button', { name: /^Visualize Selected Genes/ });

/** Texts of the selected genes. */
export const chips = () =>
  within(screen.getByRole('list', { name: 'Selected genes' }))
    .getAllByRole('listitem')
    .map((chip) => chip.textContent);

/** Headings of the viewer's cards, in their order: title and subtitle. */
export const viewerTitles = () =>
  within(screen.getByRole('region', { name: 'Main Viewer' }))
    .queryAllByRole('heading')
    .map((heading) => heading.textContent);
