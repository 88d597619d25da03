/**
 * The smallest number that a double holds with all its digits. A p-value below it is shown as `< 2.2e-308`: where it is
 * 0, the test found less than a number can say, and never nothing.
 */
export const leastPValue = 2.2250738585072014e-308;
