import { countText } from '@cellfolio/model';
import type { AlongAxisInput } from '../../along-axis-input.ts';
import type { Figure } from '../figure.ts';
import { withMinimumSize } from '../minimum-size.ts';
import { figureWidth } from '../scene/style.ts';
import { cleanLabel } from '../text/fit-text.ts';
import { fitText } from '../text/number-text.ts';
import { axisCurveScene, type AxisCurveSpec, type CurveGene, gridOf, heightOf } from './scene.ts';

export function axisCurveFigure(
  kind: AxisCurveSpec['kind'],
  input: AlongAxisInput & {
    readonly unit: string;
    /** Ends of the axis; default the means of the first and the last bin. */
    readonly ends?: readonly [number, number];
  },
): Figure<AxisCurveSpec> {
  const { bins, cautions } = input;
  const places = Array.from(bins.places);
  const short = (values: ArrayLike<number>) =>
    Array.from(values, (value) => (Number.isFinite(value) ? Number(value.toPrecision(6)) : 0));
  const genes = input.genes.map(({ gene, rho, means, errors }): CurveGene => ({
    gene: cleanLabel(gene),
    rho,
    means: short(means),
    errors: short(errors),
  }));
  const subtitle = cleanLabel(input.subtitle);
  const spec: AxisCurveSpec = {
    version: 1,
    kind,
    title: cleanLabel(input.title),
    subtitle,
    datasetName: cleanLabel(input.datasetName),
    cells: input.cells,
    summary: `${countText(input.cells)} cells in ${countText(places.length)} bins · means, bands of 1.96 standard errors`,
    size: { width: figureWidth, height: heightOf({ subtitle }, genes.length) },
    axis: cleanLabel(input.axis),
    unit: cleanLabel(input.unit),
    places,
    ends: input.ends ?? [places[0]!, places.at(-1)!],
    genes,
    ...(cautions.length > 0 && { cautions }),
  };
  return { spec, columns: {}, drawing: axisCurveDrawing };
}

export const axisCurveDrawing = withMinimumSize<AxisCurveSpec>(
  {
    scene: axisCurveScene,
    fit: (spec, size) => {
      const fitted = { ...spec, size, fitted: { leftOut: '' } };
      const { most } = gridOf(fitted);
      const genes = spec.genes.slice(0, most);
      const leftOut = fitText(genes.length, spec.genes.length, 'genes');
      return { spec: { ...fitted, genes, fitted: { leftOut } }, isWhole: leftOut === '' };
    },
  },
  { size: { width: 220, height: 190 }, sentence: ({ summary }) => `Enlarge to see the genes. ${summary}.` },
);
