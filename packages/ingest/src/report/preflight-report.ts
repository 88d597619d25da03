import type { Caution, ExpressionSource, OtherFeatures } from '@cellfolio/model';

import type { Content } from '../expression/content.ts';

/** One cells x genes matrix of the file. */
export interface MatrixReport {
  /** Path in the file: `X`, `raw/X`, `raw.X` or `layers/<name>`. */
  readonly path: string;
  readonly format: 'csr' | 'csc' | 'dense';
  readonly dtype: string;
  readonly cells: number;
  readonly genes: number;
  /** Stored entries of a sparse matrix, explicit zeros included. */
  readonly storedValues?: number;
  /** `none`, `gzip`, `lzf`… */
  readonly compression: string;
  /** What its values look like, from a sample of them. */
  readonly content: Content;
}

/** A column of `obs`. */
export interface ColumnReport {
  readonly name: string;
  readonly kind: 'categorical' | 'numeric' | 'boolean' | 'string';
  /** Type of the values or categories, in numpy's words. */
  readonly dtype: string;
  /** Number of categories, where the column has or was given some. */
  readonly categories?: number;
  /** Whether text or numbers were turned into categories. */
  readonly converted: boolean;
}

/** Which column plays a part, why, and which others could. */
export interface RoleReport {
  readonly role: 'cellType' | 'cluster' | 'patient' | 'embedding' | 'symbol';
  /** Absent where nothing fits. */
  readonly chosen?: string;
  readonly why: string;
  /** Best first: those with names that say so, then all others that can. */
  readonly alternatives: readonly string[];
}

/** What an import found in a file, decided and did. Serialisable as JSON. */
export interface PreflightReport {
  readonly file: { readonly path: string; readonly bytes: number };
  readonly cells: number;
  readonly genes: number;
  /** Features that are no genes: they stay in the file. */
  readonly otherFeatures: readonly OtherFeatures[];
  readonly format: {
    /** How the tables are stored: today's way, with categories apart (before 0.8), or as records (before 0.7). */
    readonly tables: 'current' | 'separate-categories' | 'compound';
    readonly matrices: readonly MatrixReport[];
    readonly embeddings: readonly {
      readonly name: string;
      readonly dimensions: number;
      /** Names of its dimensions, where it was a table (a pandas DataFrame). */
      readonly columns?: readonly string[];
    }[];
  };
  readonly expression: {
    readonly source: ExpressionSource;
    /** In one sentence: which values were taken, why, and what was done to them. */
    readonly what: string;
    /** The scale of the values cannot be told and was not given: an import takes an answer. */
    readonly undecided: boolean;
    /** Where the kept raw counts come from; absent where none are kept. */
    readonly countsFrom?: string;
    /** Exact after an import, from a sample before one. */
    readonly values: {
      readonly exact: boolean;
      readonly nonZero?: number;
      readonly minimum: number;
      readonly maximum: number;
      readonly missing: number;
      readonly negative: number;
    };
  };
  readonly roles: readonly RoleReport[];
  /** Shown name to obs column. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly columns: readonly ColumnReport[];
  readonly geneNames: {
    readonly index: 'ensembl' | 'symbol' | 'number';
    readonly symbolColumn?: string;
    /** Genes whose symbol an earlier gene has too. */
    readonly repeated: number;
    readonly repeatedExamples: readonly string[];
  };
  /** Paths of parts of the file that were not taken over. */
  readonly notKept: readonly string[];
  readonly warnings: readonly Caution[];
}
