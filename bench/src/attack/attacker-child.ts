// Entry point of the process that attacks: what it does with answers takes nothing from who measures.
import { Attacker, type AttackerData, type FromAttacker, type ToAttacker } from './attacker.ts';
import { attackNamed } from './attacks/index.ts';

const [name = '', data = '{}'] = process.argv.slice(2);
const attack = attackNamed(name);
const attacker = new Attacker(JSON.parse(data) as AttackerData);
let ending = new AbortController();
let running = Promise.resolve();

async function obey(order: ToAttacker): Promise<void> {
  switch (order) {
    case 'prepare':
      await attack.prepare?.(attacker);
      attacker.answers.clear();
      tell({ kind: 'prepared', answers: [] });
      break;
    case 'begin':
      ending = new AbortController();
      running = attack.run(attacker, ending.signal);
      running.catch(fail);
      break;
    case 'end':
      ending.abort();
      await running;
      tell({ kind: 'ended', answers: [...attacker.answers] });
  }
}

const tell = (message: FromAttacker): void => void process.send?.(message);

function fail(error: unknown): void {
  tell({ kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
}

process.on('message', (order: ToAttacker) => void obey(order).catch(fail));
process.on('disconnect', () => process.exit(0));
