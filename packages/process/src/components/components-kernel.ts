import { componentsModule, kernelOf } from '@cellfolio/kernels';

interface ComponentsKernel {
  /** Parameters as in `components.wat`. */
  gram(list: number, end: number, into: number): void;
  project(entries: number, ends: number, last: number, vectors: number, out: number): void;
  collect(entries: number, ends: number, last: number, numbers: number, sums: number): void;
  multiply(row: number, end: number, width: number, vectors: number, out: number): void;
  combine(row: number, end: number, width: number, numbers: number, into: number): void;
}

/** Number of vectors that the kernel processes side by side: one such block is called a panel. */
export const lanes = 8;

export const componentsKernel = kernelOf<ComponentsKernel>(componentsModule);
