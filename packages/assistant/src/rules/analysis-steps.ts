import { type Declaration, declarations } from '@cellfolio/analyses';
import { cutText } from '@cellfolio/model';
import type { Draft } from './reading.ts';

/** The tool of assistants that an analysis is. */
export function analysisTool({ id }: Pick<Declaration, 'id'>): string {
  return `analyze_${id.replaceAll('-', '_')}`;
}

/** Columns of the table of an analysis that a tool is; none for other tools. */
export function columnsOfTool(tool: string): ReadonlyMap<string, Declaration['table'][string]> {
  const declaration = declarations.find((one) => analysisTool(one) === tool);
  return new Map(Object.entries(declaration?.table ?? {}));
}

export function step(declaration: Declaration, args: object, purpose: string) {
  return { tool: analysisTool(declaration), arguments: { ...args }, purpose: cutText(purpose, 200) };
}

export function one(declaration: Declaration, args: object, purpose: string): Draft {
  return { steps: [step(declaration, args, purpose)] };
}

export const withoutGroups = {
  problem: 'The dataset has no column with two or more groups of cells: annotate the cells first.',
};
