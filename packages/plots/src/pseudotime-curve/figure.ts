import { countText } from '@cellfolio/model';
import type { Figure } from '../drawing/figure.ts';
import { withLeastSize } from '../drawing/least-size.ts';
import { figureWidth } from '../drawing/scene/style.ts';
import { cleanLabel } from '../drawing/text/fit-text.ts';
import { fitText } from '../drawing/text/number-text.ts';
import { type FigureSetting, type InputValues, plot } from '../plot.ts';
import { rootText } from '../trajectory-input.ts';
import type { pseudotimeCurveContent } from './content.ts';
import type { CurveGene, PseudotimeCurveSpec } from './spec.ts';
import { gridOf, heightOf, pseudotimeCurveScene } from './scene.ts';

/** Each gene in a panel of its own, with an axis of its own. */
export function pseudotimeCurveFigure({
  datasetName,
  trajectory,
}: Pick<FigureSetting, 'datasetName'> & {
  trajectory: InputValues['trajectory'];
}): Figure<PseudotimeCurveSpec> {
  const times = Array.from(trajectory.bins.times);
  const short = (values: ArrayLike<number>) =>
    Array.from(values, (value) => (Number.isFinite(value) ? Number(value.toPrecision(6)) : 0));
  const genes = trajectory.curves.map(({ gene, rho, means, errors }): CurveGene => ({
    gene: cleanLabel(gene),
    rho,
    means: short(means),
    errors: short(errors),
  }));
  const subtitle = cleanLabel(rootText(trajectory.root));
  const spec: PseudotimeCurveSpec = {
    version: 1,
    kind: 'pseudotime-curve',
    title: 'Genes along pseudotime',
    subtitle,
    datasetName: cleanLabel(datasetName),
    summary: `${countText(trajectory.cells.reached)} cells in ${countText(times.length)} bins · means, bands of 1.96 standard errors`,
    size: { width: figureWidth, height: heightOf({ subtitle }, genes.length) },
    unit: cleanLabel(trajectory.unit),
    times,
    genes,
    ...(trajectory.cautions.length > 0 && { cautions: trajectory.cautions }),
  };
  return { spec, columns: {}, drawing: pseudotimeCurveDrawing };
}

export const pseudotimeCurveDrawing = withLeastSize<PseudotimeCurveSpec>(
  {
    scene: pseudotimeCurveScene,
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

export const pseudotimeCurve = plot<typeof pseudotimeCurveContent>(
  'pseudotime-curve',
  ({ trajectory }, { datasetName }) => pseudotimeCurveFigure({ datasetName, trajectory }),
);
