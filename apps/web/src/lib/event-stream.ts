/** Reads the data of server-sent events from the pieces of a stream, which may end within an event. */
export function eventDataReader(): (piece: Uint8Array) => string[] {
  const decoder = new TextDecoder();
  let rest = '';
  return (piece) => {
    rest += decoder.decode(piece, { stream: true });
    const events = rest.split('\n\n');
    rest = events.pop() ?? '';
    return events.map(dataOf).filter((data) => data !== '');
  };
}

/** The data of an event; empty for a comment. */
function dataOf(event: string): string {
  return event
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).trim())
    .join('\n');
}
