import type { InputValues, PlotInput } from '@cellfolio/figures';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import type { Selection } from '../selection/index.ts';
import { comparedSamples, endCount } from './ranked-ends.ts';
import type { ValueRanking } from './value-ranking.ts';

type EndsInput = Extract<PlotInput, { from: 'ends' }>;

export function endInputs(ranking: ValueRanking) {
  return {
    version: ({ parameters }: EndsInput) => ranking.version(parameters),
    async find(
      selection: Selection,
      { parameters }: EndsInput,
      call: CallContext,
    ): Promise<InputValues['ends']> {
      const ends = await ranking.within(selection, parameters, call);
      const { sampleColumn: samples } = ends;
      return {
        title: ends.title,
        share: ends.share,
        samples: samples ? { column: samples.column, count: comparedSamples(ends).length } : undefined,
        sides: ends.sides,
        high: endCount(ends, 'high'),
        low: endCount(ends, 'low'),
        histogram: ends.histogram,
      };
    },
  };
}
