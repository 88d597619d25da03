import type { DescribedAnalysis } from './python-client.mjs';

export declare function analysesModule(document: object, analyses: readonly DescribedAnalysis[]): string;
export declare function documentation(sources: readonly string[]): Map<string, string>;
