import type { PlanTool } from '@cellfolio/assistant';
import { loadToolbox } from '../../assistant-tools/index.ts';
import { planTools } from '../planning.ts';

/** The tools that plans may call, by name. */
export const loadPlanTools = async (): Promise<ReadonlyMap<string, PlanTool>> =>
  planTools(await loadToolbox());
