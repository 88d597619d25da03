import { type Caution, cutText } from '@cellfolio/model';
import type { EmbeddingLayout } from '../dataset-file.ts';
import { H5adError } from '../h5ad-error.ts';
import type { RoleReport } from '../preflight-report.ts';
import { unknownColumn } from './detect-obs-roles.ts';

export interface EmbeddingRole {
  source?: EmbeddingLayout;
  /** Storage key; a new one if only the first two of more dimensions are used. */
  key?: string;
  report: RoleReport;
  warnings: readonly Caution[];
}

// Best first: UMAP, then other layouts that keep neighbours together, tissue positions, and PCA at last.
const preference = [
  /^(x_)?umap$/i,
  /umap/i,
  /tsne|t-sne/i,
  /draw_graph|fa2?$|force/i,
  /phate|mde|diffmap/i,
  /spatial/i,
  /pca/i,
];

/** Chooses the embedding. Throws H5adError `unknown-column` for a named one that does not exist. */
export function detectEmbedding(
  path: string,
  embeddings: readonly EmbeddingLayout[],
  named?: string,
): EmbeddingRole {
  const flat = embeddings.filter(({ dimensions }) => dimensions >= 2);
  const ranked = preference.flatMap((pattern) => flat.filter(({ name }) => pattern.test(name)));
  const fitting = [...new Set([...ranked, ...flat.filter(({ dimensions }) => dimensions === 2)])];
  const requested =
    named === undefined ? undefined : flat.find(({ name }) => name === named || name === `X_${named}`);
  if (named !== undefined && requested === undefined) {
    throw unknownColumn(
      path,
      'obsm',
      named,
      'embedding',
      flat.map(({ name }) => name),
    );
  }
  if (requested !== undefined && isAllZero(requested)) throw withoutPlaces(path, requested.name);
  const source = requested ?? fitting.find((layout) => !isAllZero(layout));
  const passedOver = fitting.slice(
    0,
    source && fitting.includes(source) ? fitting.indexOf(source) : undefined,
  );
  const zeros = requested === undefined ? passedOver.map(zeroCaution) : [];
  if (source === undefined) {
    return {
      report: { role: 'embedding', why: 'the file holds no embedding', alternatives: [] },
      warnings: [
        ...zeros,
        {
          code: 'no-embedding',
          message: 'The file has no UMAP or other embedding, so there is no map to draw genes on.',
        },
      ],
    };
  }
  const { name, dimensions } = source;
  const key = dimensions === 2 ? name : `${name}_2d`;
  const warnings = [...zeros];
  if (requested === undefined && !/umap/i.test(name)) {
    warnings.push({
      code: 'no-umap',
      message: `The file holds no UMAP; figures are drawn on '${name}' instead.`,
    });
  }
  if (dimensions > 2) {
    warnings.push({
      code: 'embedding-cut',
      message: `'${name}' has ${dimensions} dimensions; figures use the first two, stored as '${key}'.`,
    });
  }
  const alternatives = [...new Set([...fitting, ...flat])]
    .filter((other) => other !== source && !(requested === undefined && passedOver.includes(other)))
    .map((other) => other.name);
  const why = `${requested !== undefined ? 'named in the import' : 'found by its name'}${tableText(source)}`;
  return { source, key, report: { role: 'embedding', chosen: key, why, alternatives }, warnings };
}

/** Whether every value is 0: the file reserves space for an embedding but holds none. */
export function isAllZero(layout: Pick<EmbeddingLayout, 'read'>): boolean {
  return layout.read().values.every((value) => value === 0);
}

export function zeroCaution({ name }: Pick<EmbeddingLayout, 'name'>): Caution {
  const shown = cutText(name, maxNameLength);
  return {
    code: 'skipped-embedding',
    message: `obsm/${shown} was left out: every value of it is zero, so that no cell has a place.`,
  };
}

function withoutPlaces(path: string, name: string): H5adError {
  return new H5adError({
    code: 'unusable-column',
    path,
    part: `obsm/${name}`,
    problem: 'every value of it is zero, so that no cell has a place.',
    hint: 'Choose another embedding, or none: a UMAP is then computed.',
  });
}

const maxNameLength = 80;
const shownNames = 3;

function tableText({ columns }: EmbeddingLayout): string {
  if (columns === undefined) return '';
  const shown = columns.slice(0, shownNames).map((name) => `'${name.slice(0, 60)}'`);
  return `; the file holds it as a table (DataFrame) with the columns ${shown.join(', ')}${columns.length > shownNames ? '…' : ''}`;
}
