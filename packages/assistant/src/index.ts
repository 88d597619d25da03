export type { DatasetFacts } from './dataset-facts.ts';
export { maxSteps, plan, type Plan, planStep, type PlanStep } from './plan.ts';
