import type { z } from 'zod';
import type { CommonSpec, Figure } from './drawing/figure.ts';
import { cleanLabel } from './drawing/text/fit-text.ts';
import { fileSize, frame, type FrameOptions } from './frame/frame.ts';
import { type FigureSetting, type Plot, plot, type PlotInputs, type ValuesOf } from './plot.ts';

/** The fields of a spec that its kind decides; the others are the same for all kinds. */
type Decision<Spec extends CommonSpec> = Omit<Spec, 'version' | 'kind' | 'size' | 'datasetName'>;

interface KindOptions<Content, Values, Spec extends CommonSpec> extends FrameOptions<Spec> {
  /** Checks the part of a spec that its words are made from, since figures come back from browsers. */
  readonly numbers: z.ZodType<{ kind: string }>;
  /** Throws FigureInputError for inputs that do not describe the same cells, or cannot be drawn. */
  decide(values: Values, setting: FigureSetting, content: Content): Decision<Spec>;
}

export interface FigureKind<Spec extends CommonSpec = CommonSpec> {
  readonly plot: Plot;
  readonly numbers: z.ZodType<{ kind: string }>;
  /** The figure of what was decided, for kinds that are drawn as this one. */
  draw(decision: Decision<Spec>, setting: Pick<FigureSetting, 'datasetName'>): Figure<Spec>;
}

/** How a declared figure is drawn. */
export function figureKind<
  Spec extends CommonSpec,
  Declaration extends { kind: string; schema: z.ZodType; inputs(content: never): PlotInputs },
>(
  { kind }: Declaration,
  options: KindOptions<z.output<Declaration['schema']>, ValuesOf<ReturnType<Declaration['inputs']>>, Spec>,
): FigureKind<Spec> {
  const drawing = frame(options);
  const draw: FigureKind<Spec>['draw'] = (decision, { datasetName }) => {
    const head = { version: 1, kind, datasetName: cleanLabel(datasetName) };
    const spec = { ...head, ...decision } as Omit<Spec, 'size'>;
    return { spec: { ...spec, size: fileSize(spec, options) } as Spec, columns: {}, drawing };
  };
  const made = plot<Declaration>(
    kind,
    (values, setting, content) => draw(options.decide(values, setting, content), setting) as Figure,
  );
  return { plot: made, numbers: options.numbers, draw };
}
