/** What the planners know of the exposed schema: the only source of identifiers and type names in a statement. */

export interface Column {
  readonly name: string;
  /** As PostgreSQL writes it: `character varying(20)`, `text[]`. */
  readonly type: string;
  /** Name of the type without modifiers, such as `jsonb`. */
  readonly baseType: string;
  /** Expression of the default, from the catalogue; null without one. */
  readonly defaultExpression: string | null;
}

export interface Relation {
  readonly schema: string;
  readonly name: string;
  readonly columns: ReadonlyMap<string, Column>;
  readonly primaryKey: readonly string[];
  /** Whether its rows are stored in it: it is no view, and has no partitions. */
  readonly isTable: boolean;
}

export interface ForeignKey {
  readonly name: string;
  /** The table that refers, by name within the exposed schema. */
  readonly from: string;
  readonly fromColumns: readonly string[];
  readonly to: string;
  readonly toColumns: readonly string[];
  /** At most one row refers to each. */
  readonly unique: boolean;
}

export interface RoutineArgument {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
}

export interface Routine {
  readonly schema: string;
  readonly name: string;
  readonly arguments: readonly RoutineArgument[];
  readonly returnsSet: boolean;
  /** `void`, one value, or rows with these columns. */
  readonly returns: 'void' | 'scalar' | 'rows';
  readonly columns: ReadonlyMap<string, Column>;
  /** The exposed table whose rows it returns. */
  readonly table: string | null;
  /** Changes nothing, as it says itself. */
  readonly readOnly: boolean;
}

export interface DatabaseSchema {
  readonly name: string;
  readonly relations: ReadonlyMap<string, Relation>;
  readonly foreignKeys: readonly ForeignKey[];
  /** Functions of one name differ in their arguments. */
  readonly routines: ReadonlyMap<string, readonly Routine[]>;
}
