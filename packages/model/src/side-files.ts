/** Tables of Cell Ranger and Space Ranger about the cells of a matrix. */
export interface SideFiles {
  /** Positions of spots in the image of the tissue. */
  positions: string | undefined;
  clusterings: readonly { column: string; path: string }[];
  projections: readonly { embedding: string; path: string }[];
}

/**
 * Files beside the folder of a matrix that say something about its cells
 * (https://www.10xgenomics.com/support/software/space-ranger/latest/analysis/outputs/spatial-outputs).
 */
export function sideFiles(matrix: string, paths: readonly string[]): SideFiles {
  const root = outputRoot(matrix);
  const beside = paths.flatMap((path) => (path.startsWith(root) ? [path.slice(root.length)] : []));
  const first = (names: readonly string[]) => names.find((name) => beside.includes(name));
  const positions = first(
    ['tissue_positions.csv', 'tissue_positions_list.csv', 'tissue_positions.parquet'].map(
      (name) => `spatial/${name}`,
    ),
  );
  const matches = (pattern: RegExp) =>
    beside.toSorted().flatMap((path) => {
      const [, name] = pattern.exec(path) ?? [];
      return name === undefined ? [] : [{ name, path: root + path }];
    });
  return {
    positions: positions && root + positions,
    clusterings: matches(
      /^analysis\/clustering\/(?:gene_expression_)?(graphclust|kmeans_\d+_clusters)\/clusters\.csv$/,
    ).map(({ name, path }) => ({ column: name, path })),
    projections: matches(/^analysis\/(umap|tsne)\/(?:gene_expression_)?\d+_components\/projection\.csv$/).map(
      ({ name, path }) => ({ embedding: `X_${name}`, path }),
    ),
  };
}

/** Folder that Cell Ranger calls `outs`, of a matrix in a folder of it; else that of the matrix itself. */
export function outputRoot(matrix: string): string {
  return folderOf(matrix).replace(
    /(^|\/)(sample_)?(filtered|raw)_(feature|gene)_bc_matri(x|ces)\/([^/]+\/)?$/i,
    '$1',
  );
}

/** With a slash at its end; empty for a file at the top. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
