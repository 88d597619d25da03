import type { IntegrationMethod } from '@cellfolio/model';
import type { BatchMethod } from './batched-cells.ts';
import { harmonyMethod } from './harmony-method.ts';
import { mnnMethod } from './mutual-neighbours.ts';

/** What works under each name; `integrationMethods` of the model has their words. */
export const batchMethods: Readonly<Record<IntegrationMethod, BatchMethod>> = {
  harmony: harmonyMethod,
  mnn: mnnMethod,
};
