import { describe, expect, test } from 'vitest';
import { FairQueue } from './fair-queue.ts';

/** A queue with its own clock; the first letter of a turn's name is its user: `a1` is the first of `a`. */
function queueOf(threads: number) {
  let now = 0;
  const queue = new FairQueue<ReturnType<typeof turn>>(threads, () => now);
  const turn = (name: string, more: { isLong?: boolean; users?: () => readonly string[] } = {}) => ({
    name,
    users: () => [name[0]!],
    isLong: false,
    ...more,
  });
  const begun = new Map<string, ReturnType<typeof turn>>();
  return {
    queue,
    add: (names: string, more: Parameters<typeof turn>[1] = {}) => {
      for (const name of names.split(' ')) queue.add(turn(name, more));
    },
    begin: () => {
      const names: string[] = [];
      for (let next = queue.begin(); next; next = queue.begin()) {
        names.push(next.name);
        begun.set(next.name, next);
      }
      return names.join(' ');
    },
    end: (name: string) => queue.end(begun.get(name)!),
    pass: (milliseconds: number) => (now += milliseconds),
  };
}

function order({ begin, end, pass }: ReturnType<typeof queueOf>, milliseconds: (name: string) => number) {
  const names: string[] = [];
  for (let name = begin(); name !== ''; name = begin()) {
    names.push(name);
    pass(milliseconds(name));
    end(name);
  }
  return names.join(' ');
}

describe('turns of users', () => {
  test('users with equally long turns alternate, however many turns one of them has queued', () => {
    const one = queueOf(1);
    one.add('a1 a2 a3 a4 b1 b2');
    expect(order(one, () => 100)).toBe('a1 b1 a2 b2 a3 a4');
  });

  test('a user with shorter turns gets more of them', () => {
    const one = queueOf(1);
    one.add('a1 a2 a3 b1 b2 b3 b4 b5');
    expect(order(one, (name) => (name.startsWith('a') ? 400 : 100))).toBe('a1 b1 b2 b3 b4 a2 b5 a3');
  });

  test('the time of a running turn counts', () => {
    const two = queueOf(2);
    two.add('a1');
    expect(two.begin()).toBe('a1');
    two.pass(50);
    two.add('b1 c1');
    expect(two.begin()).toBe('b1');
    two.pass(10);
    two.end('a1');
    two.add('a2');
    two.end('b1');
    two.add('b2');
    expect(two.begin()).toBe('c1 b2');
  });

  test('a turn counts once, whatever else starts and ends meanwhile', () => {
    const three = queueOf(3);
    for (let turn = 1; turn <= 6; turn++) {
      three.add(`b${turn}`);
      three.begin();
      three.pass(20);
      three.end(`b${turn}`);
      if (turn === 1) three.add('a1');
    }
    three.end('a1');
    // Five times twenty are less than six times, and one thread is enough to see who is first.
    three.add('x1 x2', { users: () => [] });
    three.begin();
    three.add('b7 a2');
    expect(three.begin()).toBe('a2');
  });

  test('compute time of long ago does not count', () => {
    const one = queueOf(1);
    one.add('a1');
    one.begin();
    one.pass(10_000);
    one.end('a1');
    one.add('b1');
    one.begin();
    one.pass(100);
    one.end('b1');
    one.add('a2 b2');
    one.pass(60_000);
    // Ten seconds, a minute ago, are still more than a tenth of one; some minutes later both are nothing.
    expect(one.begin()).toBe('b2');
    one.end('b2');
    one.pass(600_000);
    one.add('b3');
    expect(one.begin()).toBe('a2');
  });

  test('short turns of a user go before long ones of the same user', () => {
    const one = queueOf(1);
    one.add('a1 a2', { isLong: true });
    one.add('a3 a4');
    expect(order(one, () => 10)).toBe('a3 a4 a1 a2');
  });

  test("the server's own work goes first and does not count against the threads of a user", () => {
    const two = queueOf(2);
    two.add('a1 b1');
    two.add('x', { users: () => [] });
    expect(two.begin()).toBe('x a1');
  });

  test('a waiting turn that another user joins has the priority of the user with the least compute time', () => {
    const one = queueOf(1);
    one.add('a1');
    one.begin();
    one.pass(1000);
    const users = ['a'];
    one.add('a2');
    one.add('a3', { users: () => users });
    one.add('c1');
    users.push('b');
    one.end('a1');
    expect(one.begin()).toBe('a3');
    one.pass(1000);
    one.end('a3');
    // Each of them is charged half of it.
    expect(one.begin()).toBe('c1');
    one.pass(600);
    one.end('c1');
    one.add('b1 c2');
    expect(order(one, () => 1)).toBe('b1 c2 a2');
  });

  test('a removed turn is not started', () => {
    const one = queueOf(1);
    const turn = { name: 'a1', users: () => ['a'], isLong: false };
    one.queue.add(turn);
    expect([one.queue.size, one.queue.remove(turn), one.queue.remove(turn)]).toEqual([1, true, false]);
    expect(one.begin()).toBe('');
  });
});

describe('a thread for others', () => {
  test('one user alone has all threads', () => {
    const three = queueOf(3);
    three.add('a1 a2 a3 a4');
    expect(three.begin()).toBe('a1 a2 a3');
  });

  test('one thread is left free for users who were active recently', () => {
    const three = queueOf(3);
    three.add('b1');
    three.begin();
    three.pass(50);
    three.end('b1');
    three.add('a1 a2 a3 a4');
    expect(three.begin()).toBe('a1 a2');
    three.pass(1000);
    three.add('b2');
    expect(three.begin()).toBe('b2');
    three.end('b2');
    three.end('a1');
    expect(three.begin()).toBe('a3');
  });

  test('no thread is left free for users who were inactive for some minutes', () => {
    const two = queueOf(2);
    two.add('b1');
    two.begin();
    two.pass(50);
    two.end('b1');
    two.pass(300_000);
    two.add('a1 a2');
    expect(two.begin()).toBe('a1 a2');
  });

  test('long work never occupies all threads', () => {
    const two = queueOf(2);
    two.add('a1 b1', { isLong: true });
    expect(two.begin()).toBe('a1');
    two.add('c1');
    expect(two.begin()).toBe('c1');
    two.end('a1');
    expect(two.begin()).toBe('b1');
  });

  test('a single thread runs everything in turn', () => {
    const one = queueOf(1);
    one.add('a1 b1', { isLong: true });
    expect(order(one, () => 100)).toBe('a1 b1');
  });
});
