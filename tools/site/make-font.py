"""Cuts the font of the site down to the letters that nearly every line is written in, in the weights that are used:

    python tools/site/make-font.py

The letters are those of the last `@font-face` of Inter in apps/web/src/app/brand.css. Kerning and tabular figures stay.
"""

from io import BytesIO
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

project = Path(__file__).parents[2]
source = project / "node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2"
target = project / "apps/web/src/lib/fonts/inter-common.woff2"

letters = [
    *range(0x20, 0x7F),
    *(0xA0, 0xA9, 0xB7),
    *range(0xC0, 0x100),
    *(0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2026, 0x2212),
]

# Through a file, because the subsetter expects the tables as a file has them.
narrower = BytesIO()
instantiateVariableFont(TTFont(source, recalcTimestamp=False), {"wght": (400, 700)}).save(narrower)
font = TTFont(narrower, recalcTimestamp=False)
options = Options(flavor="woff2", layout_features=["kern", "ccmp", "tnum"], hinting=False)
subsetter = Subsetter(options)
subsetter.populate(unicodes=letters)
subsetter.subset(font)
font.flavor = "woff2"
font.save(target)
print(f"{target.relative_to(project)}: {target.stat().st_size:,} bytes")
