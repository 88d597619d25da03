import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeServices } from '@/testing/fakes.ts';
import { renderApp } from '@/testing/render-app.tsx';
import { listedArticles } from './articles.ts';

function signedOut() {
  const fake = fakeServices();
  fake.auth.signOut();
  return fake;
}

test('the list shows five articles with all that is known of them, and Read More opens the article', async () => {
  const { user, address } = renderApp('/blog', signedOut());
  expect(await screen.findByRole('heading', { level: 1, name: 'Blog' })).toBeVisible();
  const shown = screen.getAllByRole('article');
  expect(shown).toHaveLength(5);
  for (const [place, article] of listedArticles.entries()) {
    const card = within(shown[place]!);
    for (const text of [
      article.title,
      article.category,
      article.readTime,
      article.excerpt,
      article.description,
    ])
      expect(card.getByText(text)).toBeVisible();
    expect(shown[place]!.querySelector('time')).toHaveAttribute('datetime', article.date);
    expect(card.getByRole('link', { name: `Read More: ${article.title}` })).toHaveAttribute(
      'href',
      `/blog/${article.slug}`,
    );
  }
  await user.click(screen.getByRole('link', { name: `Read More: ${listedArticles[0]!.title}` }));
  expect(await screen.findByRole('heading', { level: 1, name: listedArticles[0]!.title })).toBeVisible();
  expect(address()).toBe(`/blog/${listedArticles[0]!.slug}`);
});

test('an article shows its facts, text, numbered references and related reading, and leads back', async () => {
  const slug = 'umap-visualization-cell-state-manifold-geometry';
  const { user, address } = renderApp(`/blog/${slug}`, signedOut());
  const article = listedArticles.find((listed) => listed.slug === slug)!;
  expect(await screen.findByRole('heading', { level: 1, name: article.title })).toBeVisible();
  for (const text of [article.subtitle, article.category, article.readTime])
    expect(screen.getByText(text)).toBeVisible();
  expect(screen.getByText(/By The Cellfolio team/)).toBeVisible();
  expect(document.title).toBe(`${article.title} · Cellfolio`);

  const section = screen.getByRole('heading', { name: /^Sizes: mostly cell counts/ });
  expect(within(section).getByRole('link')).toHaveAttribute('href', `#${section.id}`);

  const [first] = screen.getAllByRole('link', { name: 'Reference 1: McInnes L, Healy J, Melville J 2018' });
  const entry = document.querySelector(first!.getAttribute('href')!);
  expect(entry).toHaveTextContent(
    'UMAP: Uniform Manifold Approximation and Projection for dimension reduction',
  );
  expect(entry?.querySelector('a')).toHaveAttribute('rel', 'noopener');

  const related = within(screen.getByRole('complementary', { name: 'Related reading' }));
  expect(
    related.getByRole('link', { name: /Top 5 Single-Cell and Spatial Platform Alternatives/ }),
  ).toHaveAttribute('href', '/blog/top-5-single-cell-and-spatial-platform-alternatives');
  await user.click(screen.getAllByRole('link', { name: 'Back to Blog' })[0]!);
  expect(await screen.findByRole('heading', { level: 1, name: 'Blog' })).toBeVisible();
  expect(address()).toBe('/blog');
});

test('a picture opens large, says what it shows, and gives the focus back', async () => {
  const { user } = renderApp('/blog/umap-visualization-cell-state-manifold-geometry', signedOut());
  const picture = await screen.findByRole('button', { name: /UMAP with min_dist 0.05/ });
  await user.click(picture);
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByRole('img')).toHaveAttribute('src', '/blog/umap-min-dist-small.png');
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(picture).toHaveFocus();
});

test('an unknown slug says so and leads back to the list', async () => {
  renderApp('/blog/no-such-article', signedOut());
  expect(await screen.findByRole('heading', { name: 'Blog post not found' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Back to Blog' })).toHaveAttribute('href', '/blog');
});
