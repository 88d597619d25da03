import { componentsModule, kernelOf } from '@cellfolio/kernels';

interface ComponentsKernel {
  /** As `components.wat` has them. */
  gram(list: number, end: number, into: number): void;
  project(entries: number, ends: number, last: number, vectors: number, out: number): void;
  collect(entries: number, ends: number, last: number, numbers: number, sums: number): void;
  multiply(row: number, end: number, width: number, vectors: number, out: number): void;
  combine(row: number, end: number, width: number, numbers: number, into: number): void;
}

/** Vectors that the kernel takes at a time, side by side: one such block is called a panel. */
export const lanes = 8;

/** One memory for all that a thread computes with it. */
export const componentsKernel = kernelOf<ComponentsKernel>(componentsModule);
