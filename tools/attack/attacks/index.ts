import type { Attack } from '../attacker.ts';
import { analyst } from './analyst.ts';
import { growth } from './growth.ts';
import { longNames } from './long-names.ts';
import { patterns } from './patterns.ts';
import { reads } from './reads.ts';
import { signIns } from './sign-ins.ts';
import { slowClients } from './slow-clients.ts';

export const attacks: readonly Attack[] = [patterns, reads, growth, analyst, longNames, slowClients, signIns];

/** Throws RangeError. */
export function attackNamed(name: string): Attack {
  const attack = attacks.find((one) => one.name === name);
  if (!attack)
    throw new RangeError(`there is no attack ${name}; they are ${attacks.map((one) => one.name).join(', ')}`);
  return attack;
}
