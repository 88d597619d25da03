/** Usual names of condition columns, most likely first. */
const conditionNames = [/treat|condition|stimul|perturb/i, /respon|status|arm$|time.?point|visit/i];

/** Likelihood of a condition by the column's name, 0 for the most likely; -1 for none. */
export function conditionRank(name: string): number {
  return conditionNames.findIndex((one) => one.test(name));
}
