export { maxSteps, type Plan, plan, type PlanStep, planStep } from './plan.ts';
