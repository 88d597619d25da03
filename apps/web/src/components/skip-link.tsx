/** A way past the bar for the keyboard: the first thing on a page, to what is `id="content"` there. */
export function SkipLink() {
  return (
    <a
      href="#content"
      onClick={(event) => {
        const content = document.getElementById('content');
        if (content === null) return;
        // The address stays as it is: in the tool it says what is shown.
        event.preventDefault();
        content.focus();
      }}
      className="bg-surface text-foreground sr-only z-50 rounded-md border px-4 py-2 text-sm font-medium shadow-lg focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
    >
      Skip to content
    </a>
  );
}
