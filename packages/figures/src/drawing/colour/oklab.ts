/**
 * sRGB and OKLab, Björn Ottosson's perceptual colour space (bottosson.github.io/posts/oklab, 2020). Colours are
 * `#rrggbb` text at the interface and numbers inside: linear light and lightness are 0 to 1.
 */

export type Triple = readonly [number, number, number];

/** Throws RangeError for anything but `#rrggbb`. */
export function parseHex(hex: string): Triple {
  if (!/^#[0-9a-f]{6}$/i.test(hex)) throw new RangeError(`not a #rrggbb color: ${hex}`);
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

export function toHex([red, green, blue]: Triple): string {
  return `#${((red << 16) | (green << 8) | blue).toString(16).padStart(6, '0')}`;
}

const linearOfByte = Float64Array.from({ length: 256 }, (_, byte) => {
  const level = byte / 255;
  return level <= 0.04045 ? level / 12.92 : ((level + 0.055) / 1.055) ** 2.4;
});

export function toLinear(byte: number): number {
  return linearOfByte[byte]!;
}

/** Linear light to one sRGB byte, clamped to 0 to 255. */
function fromLinear(light: number): number {
  const level = light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
  return Math.round(Math.min(1, Math.max(0, level)) * 255);
}

/** Linear light to OKLab: lightness, green to red, blue to yellow. */
export function linearToOklab([red, green, blue]: Triple): Triple {
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

export function toOklab([red, green, blue]: Triple): Triple {
  return linearToOklab([toLinear(red), toLinear(green), toLinear(blue)]);
}

/** OKLab to linear light; outside 0 to 1 for colours that sRGB lacks. */
function oklabToLinear([lightness, a, b]: Triple): Triple {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

/** Lightness, chroma and hue in degrees to `#rrggbb`; chroma is reduced until sRGB has the colour. */
export function oklchToHex(lightness: number, chroma: number, hue: number): string {
  const angle = (hue * Math.PI) / 180;
  let reduced = chroma;
  let light = oklabToLinear([lightness, reduced * Math.cos(angle), reduced * Math.sin(angle)]);
  while (reduced > 0 && light.some((part) => part < -0.0005 || part > 1.0005)) {
    reduced = Math.max(0, reduced - 0.002);
    light = oklabToLinear([lightness, reduced * Math.cos(angle), reduced * Math.sin(angle)]);
  }
  return toHex([fromLinear(light[0]), fromLinear(light[1]), fromLinear(light[2])]);
}
