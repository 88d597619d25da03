import type { IntegrationMethod } from '@cellfolio/model';
import type { BatchMethod } from './batched-cells.ts';
import { harmonyMethod } from './harmony-method.ts';
import { mnnMethod } from './mutual-neighbours.ts';

export const batchMethods: Readonly<Record<IntegrationMethod, BatchMethod>> = {
  harmony: harmonyMethod,
  mnn: mnnMethod,
};
