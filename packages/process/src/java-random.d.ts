/** The generator that `networkanalysis-ts` takes; it brings no types. */
declare module 'java-random' {
  // oxlint-disable-next-line import/no-default-export -- as the library has it
  export default class Random {
    constructor(seed: number);
    nextInt(bound: number): number;
    nextDouble(): number;
  }
}
