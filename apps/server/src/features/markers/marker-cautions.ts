import { countText, type Caution } from '@cellfolio/model';
import { listedNames } from '../../runtime/listed-names.ts';
import { type KnownOfMarkers, namesShown } from './known-of-markers.ts';
import { ownDataCaution } from './own-data-caution.ts';
import { sampleCautions } from './sample-cautions.ts';

/** Groups of fewer cells are marked. */
export const fewCells = 10;

/** What limits a result, the gravest first: only what applies to it, each with its figures. */
export function markerCautions(known: KnownOfMarkers): Caution[] {
  const listsGenes = known.markers.groups.some(({ rows }) => rows.length > 0);
  return [
    ...notLogNormalised(known),
    ...(listsGenes ? [...sampleCautions(known), ...ownDataCaution(known)] : []),
    ...smallGroups(known),
    ...known.markers.warnings,
    ...unlabelled(known),
    ...withoutMarkers(known),
  ];
}

function notLogNormalised({ selection }: KnownOfMarkers): Caution[] {
  const { state } = selection.manifest.expression;
  if (state !== 'scaled' && state !== 'unknown') return [];
  return [
    {
      code: 'not-log-normalised',
      message: 'The dataset does not hold log-normalised values, so log fold changes may be wrong.',
    },
  ];
}

function smallGroups({ markers }: KnownOfMarkers): Caution[] {
  const small = markers.groups.filter(({ cells }) => cells < fewCells);
  if (small.length === 0) return [];
  const names = small.map(({ name, cells }) => `${name} (${cells})`);
  return [
    {
      code: 'small-groups',
      message: `Fewer than ${fewCells} cells, marked with *: ${listedNames(names, namesShown)}. The p-values of so few cells are not reliable.`,
      numbers: {
        limit: fewCells,
        groups: small.slice(0, namesShown).map(({ name }) => name),
        cells: small.slice(0, namesShown).map(({ cells }) => cells),
        groupCount: small.length,
      },
    },
  ];
}

function unlabelled({ unlabelledCells, groups, column, parameters }: KnownOfMarkers): Caution[] {
  if (unlabelledCells === 0) return [];
  const isLeftOut = parameters.unlabelled === 'left-out';
  const labelled = isLeftOut ? groups.cellCount : groups.cellCount - unlabelledCells;
  const { cells, have, them } =
    unlabelledCells === 1
      ? { cells: '1 cell', have: 'has', them: 'It is' }
      : { cells: `${countText(unlabelledCells)} cells`, have: 'have', them: 'They are' };
  return [
    {
      code: 'unlabelled-cells',
      message: `${cells} ${have} no value in ${column}, beside ${countText(labelled)} with one. ${
        isLeftOut
          ? `${them} left out of every comparison.`
          : `${them} in the reference of every group, which ${countText(groups.cellCount)} cells form together; they can be left out.`
      }`,
      numbers: { labelled, unlabelled: unlabelledCells, compared: groups.cellCount },
    },
  ];
}

function withoutMarkers({ markers }: KnownOfMarkers): Caution[] {
  const empty = markers.groups.filter(({ rows }) => rows.length === 0).map(({ name }) => name);
  if (empty.length === 0) return [];
  return [
    {
      code: 'groups-without-markers',
      message: `No gene passes the filters for: ${listedNames(empty, namesShown)}. These groups may not differ from the others in any gene.`,
      numbers: { groups: empty.slice(0, namesShown), groupCount: empty.length },
    },
  ];
}
