export interface CellTypePlan {
  /** Cell types without an image. */
  wanted: string[];
  /** Cell types whose image exists. */
  done: string[];
  /** The combination of clusters to draw; empty where none is chosen, or its image exists. */
  clusters: string[];
  /** Whether the image of the chosen combination exists. */
  clustersDone: boolean;
}

/** Only what is new is drawn: each cell type by itself, the clusters as one combination. */
export function planCellTypePlots(
  cellTypes: readonly string[],
  clusters: readonly string[],
  exists: { cellType: (name: string) => boolean; clusters: (names: readonly string[]) => boolean },
): CellTypePlan {
  const done = cellTypes.filter(exists.cellType);
  const clustersDone = clusters.length > 0 && exists.clusters(clusters);
  return {
    wanted: cellTypes.filter((name) => !done.includes(name)),
    done,
    clusters: clustersDone ? [] : [...clusters],
    clustersDone,
  };
}
