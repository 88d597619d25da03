/** A matrix and its two tables, by their names. */
export declare const smallTrio: Readonly<Record<string, string>>;
