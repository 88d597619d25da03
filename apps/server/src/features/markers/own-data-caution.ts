import { countText, type Caution } from '@cellfolio/model';
import { isClustering } from './is-clustering.ts';
import { groupsTold, type KnownOfMarkers } from './known-of-markers.ts';

/**
 * Clusters were formed so that expression differs between them; a test of the same expression then finds differences
 * also where the cells have no structure (Gao, Bien and Witten 2022; Neufeld and others 2023; Song and others 2023).
 */
export function ownDataCaution({
  selection,
  column,
  parameters,
  markers,
  groups,
  checks,
}: KnownOfMarkers): Caution[] {
  if (!isClustering(selection.manifest, column)) return [];
  const passing = markers.groups.reduce((sum, group) => sum + group.passing, 0);
  const smallEffects = markers.groups.reduce((sum, group) => sum + group.smallEffects, 0);
  const small =
    parameters.method === 'wilcoxon'
      ? 'a fold change below 2 and an AUC below 0.7'
      : 'a fold change below 2 and shares of expressing cells less than 10 percentage points apart';
  const { separation } = checks;
  const least = separation ? leastOf(separation.groups) : undefined;
  const apart =
    separation && least !== undefined
      ? ` Mean silhouette of the clusters, simplified (distances to centroids), in ${separation.embedding} (${separation.dimensions} dimensions${separation.dimensions === 2 ? ', in which clusters look more separate than they are' : ''}): ${separation.mean.toFixed(2)}, lowest in ${groups.names[least]!} (${separation.groups[least]!.toFixed(2)}); 0 is not separate, 1 far apart.`
      : '';
  return [
    {
      code: 'clusters-tested-on-own-data',
      message: `The clusters of ${column} are tested on the expression that formed them: p-values are too small, and ${countText(smallEffects)} of the ${countText(passing)} markers that pass the limits ${smallEffects === 1 ? 'has' : 'have'} a small effect (${small}). Clusters without a real difference have markers, too.${apart} Judge by the effect, and confirm in other cells.`,
      numbers: {
        passing,
        smallEffects,
        ...(separation &&
          least !== undefined && {
            silhouette: rounded(separation.mean),
            silhouetteCells: separation.cellCount,
            embedding: separation.embedding,
            dimensions: separation.dimensions,
            groups: groups.names.slice(0, groupsTold),
            groupSilhouettes: Array.from(separation.groups.subarray(0, groupsTold), rounded),
          }),
      },
    },
  ];
}

function leastOf(values: Float64Array): number | undefined {
  let least: number | undefined;
  for (let i = 0; i < values.length; i++) {
    if (!Number.isNaN(values[i]!) && (least === undefined || values[i]! < values[least]!)) least = i;
  }
  return least;
}

/** JSON has no NaN. */
function rounded(value: number): number | string {
  return Number.isNaN(value) ? '' : Number(value.toFixed(4));
}
