/** A text with the part that matches the search in bold. */
export function MatchedText({ text, match }: { text: string; match: string }) {
  const start = match === '' ? -1 : text.toLowerCase().indexOf(match.toLowerCase());
  if (start < 0) return text;
  const end = start + match.length;
  return (
    <>
      {text.slice(0, start)}
      <strong className="font-semibold">{text.slice(start, end)}</strong>
      {text.slice(end)}
    </>
  );
}
