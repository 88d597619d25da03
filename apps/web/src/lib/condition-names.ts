/** Usual names of condition columns, most likely first. */
const conditionNames = [/treat|condition|stimul|perturb/i, /respon|status|arm$|time.?point|visit/i];

/** Likelihood of a condition by the column's name, 0 for the most likely; -1 for none. */
export function conditionRank(name: string): number {
  return conditionNames.findIndex((one) => one.test(name));
}

const controls =
  /(^|[\s_-])(controls?|ctrl|healthy|normal|vehicle|mock|wt|wild[\s_-]?type|dmso|placebo|baseline|naive|untreated|unstimulated|uninfected|unaffected|pre([\s_-]?treat\w*)?|non[\s_-]?(treated|responders?|diseased|infected|targeting))([\s_-]|$)/i;

/** Whether others are compared with a value of a condition, by its name. */
export function isControl(value: string): boolean {
  return controls.test(value);
}
