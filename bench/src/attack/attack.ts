import type { Attacker } from './attacker.ts';

/** Something that one user, or a visitor, does to a server so that others suffer. */
export interface Attack {
  readonly name: string;
  readonly title: string;
  /** What it needs to be there, made before anything is measured. */
  prepare?(attacker: Attacker): Promise<void>;
  /** Goes on until the signal; an answer of whatever status is no failure. */
  run(attacker: Attacker, signal: AbortSignal): Promise<void>;
}
