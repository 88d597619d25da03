import type { Caution } from '@cellfolio/model';
import type { EmbeddingLayout } from '../formats/dataset-file.ts';
import type { RoleReport } from '../preflight-report.ts';
import { unknownColumn } from './detect-obs-roles.ts';

/** What figures are drawn on. */
export interface EmbeddingRole {
  readonly source?: EmbeddingLayout;
  /** Key under which it is stored: a new one where only the first two of more dimensions are used. */
  readonly key?: string;
  readonly report: RoleReport;
  readonly warnings: readonly Caution[];
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
  const wanted =
    named === undefined ? undefined : flat.find(({ name }) => name === named || name === `X_${named}`);
  if (named !== undefined && wanted === undefined) {
    throw unknownColumn(
      path,
      'obsm',
      named,
      'embedding',
      flat.map(({ name }) => name),
    );
  }
  const source = wanted ?? fitting[0];
  if (source === undefined) {
    return {
      report: { role: 'embedding', why: 'the file holds no embedding', alternatives: [] },
      warnings: [
        {
          code: 'no-embedding',
          message: 'The file holds no UMAP or other embedding, so there is no map to draw genes on.',
        },
      ],
    };
  }
  const { name, dimensions } = source;
  const key = dimensions === 2 ? name : `${name}_2d`;
  const warnings: Caution[] = [];
  if (wanted === undefined && !/umap/i.test(name)) {
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
    .filter((other) => other !== source)
    .map((other) => other.name);
  const why = `${wanted !== undefined ? 'named in the import' : 'found by its name'}${tableText(source)}`;
  return { source, key, report: { role: 'embedding', chosen: key, why, alternatives }, warnings };
}

const shownNames = 3;

function tableText({ columns }: EmbeddingLayout): string {
  if (columns === undefined) return '';
  const shown = columns.slice(0, shownNames).map((name) => `'${name.slice(0, 60)}'`);
  return `; the file holds it as a table (DataFrame) with the columns ${shown.join(', ')}${columns.length > shownNames ? '…' : ''}`;
}
