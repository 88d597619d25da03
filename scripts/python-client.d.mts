export interface DescribedAnalysis {
  id: string;
  title: string;
  question: string;
  path: string;
  table: string;
  texts: readonly string[];
}
export declare function generatedModules(
  document: object,
  analyses: readonly DescribedAnalysis[],
): Map<string, string>;
export declare function synchronous(path: string, text: string): string;
