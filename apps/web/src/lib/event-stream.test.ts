import { expect, test } from 'vitest';
import { eventDataReader } from './event-stream.ts';

test('events are read whole, however the stream is cut, and comments are left out', () => {
  const bytes = new TextEncoder().encode(
    ': open\n\ndata: {"text":"β–cell"}\n\ndata: 1\ndata: 2\n\ndata: cut',
  );
  for (const size of [1, 7, bytes.length]) {
    const read = eventDataReader();
    const all = [];
    for (let at = 0; at < bytes.length; at += size) all.push(...read(bytes.subarray(at, at + size)));
    expect(all).toEqual(['{"text":"β–cell"}', '1\n2']);
  }
});
