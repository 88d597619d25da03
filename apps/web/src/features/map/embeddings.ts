import { integrationMethods, type MapColumnList } from '@cellfolio/contract';
import type { ChosenEmbedding } from './map-store.ts';

export function defaultEmbedding(list: MapColumnList | undefined): ChosenEmbedding | undefined {
  const name = list?.default_embedding;
  return name === undefined ? undefined : { name, axes: [0, 1] };
}

export function defaultMapTitle(list: MapColumnList | undefined): string | undefined {
  const embedding = defaultEmbedding(list);
  return embedding && list && embeddingTitle(embedding, list);
}

/** `X_umap` becomes UMAP; for embeddings with more than two axes the axes are named, counted from 1. */
export function embeddingTitle(
  { name, axes: [x, y] }: ChosenEmbedding,
  { embeddings }: MapColumnList,
): string {
  const plain = name.replace(/^X_/i, '');
  const titles = new Map([
    ['umap', 'UMAP'],
    ['umap_unintegrated', 'Unintegrated UMAP'],
    ['tsne', 't-SNE'],
    ['pca', 'PCA'],
    ...Object.values(integrationMethods).map(
      ({ embedding, short }) => [embedding.slice(2), `${short} PCA`] as const,
    ),
    ['spatial', 'Spatial'],
  ]);
  const title = titles.get(plain.toLowerCase()) ?? plain;
  const dimensions = embeddings.find((one) => one.name === name)?.dimensions ?? 2;
  return dimensions > 2 ? `${title} ${x + 1}, ${y + 1}` : title;
}
