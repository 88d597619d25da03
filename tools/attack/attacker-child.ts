// Entry point of the attacking process, so that its work does not disturb the measurement.
import { Attacker, type AttackerData, type FromAttacker, type ToAttacker } from './attacker.ts';
import { attackNamed } from './attacks.ts';

const [name = '', data = '{}'] = process.argv.slice(2);
const attack = attackNamed(name);
const attacker = new Attacker(JSON.parse(data) as AttackerData);
let ending = new AbortController();
let running = Promise.resolve();

async function run(command: ToAttacker): Promise<void> {
  switch (command) {
    case 'prepare':
      await attack.prepare?.(attacker);
      attacker.statuses.clear();
      send({ kind: 'prepared', statuses: [] });
      break;
    case 'control':
    case 'begin':
      ending = new AbortController();
      running =
        command === 'begin'
          ? attack.run(attacker, ending.signal)
          : attack.control!(new Attacker(attacker.data), ending.signal);
      running.catch(fail);
      break;
    case 'end':
      ending.abort();
      await running;
      send({ kind: 'ended', statuses: [...attacker.statuses] });
  }
}

const send = (message: FromAttacker): void => void process.send?.(message);

function fail(error: unknown): void {
  send({ kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
}

process.on('message', (command: ToAttacker) => void run(command).catch(fail));
process.on('disconnect', () => process.exit(0));
