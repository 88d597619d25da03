import type { ComponentProps } from 'react';

/**
 * The dots of the mark, on a field of 32: cells along an arc, from small to large, that close to a C. The favicon
 * (public/favicon.svg) has the same.
 */
const cells = Array.from({ length: 7 }, (_, i) => {
  const angle = ((-42 - i * 46) * Math.PI) / 180;
  return {
    x: (16 + 8.6 * Math.cos(angle)).toFixed(2),
    y: (16 + 8.6 * Math.sin(angle)).toFixed(2),
    r: (1.5 + i * 0.34).toFixed(2),
  };
});

/** Decoration beside the name; give it a label where it stands alone. */
export function LogoMark(props: ComponentProps<'svg'>) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden {...props}>
      <rect width="32" height="32" rx="7.5" className="fill-accent" />
      <g className="fill-accent-foreground">
        {cells.map(({ x, y, r }) => (
          <circle key={x + y} cx={x} cy={y} r={r} />
        ))}
      </g>
    </svg>
  );
}
