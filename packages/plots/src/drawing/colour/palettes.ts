/**
 * Three colour sequences for categories, optimised together by simulated annealing over sRGB beside the ten colours of
 * recognised cell types. Distances are those of OKLab, with ordinary sight and with simulated protanopia, deuteranopia
 * and tritanopia; `colour-vision.test.ts` states the minimum of each. All colours have a contrast of at least 2.1 to 1
 * to white and to the dark surface.
 */

function hexColours(hexes: string): readonly string[] {
  return hexes.split(' ').map((hex) => `#${hex}`);
}

/** Cell types beyond the ten, and new annotation groups. */
export const furtherColours: readonly string[] = hexColours(
  '7878a5 5ab4ff 008778 b45ad2 784b69 c3875a 6635a4 6b62ea c9a7bf f0632a f185ff b65050 b40960 709599 fc90a3 ' +
    '605c9d 45c447 d67095 7e9207 ab3099 7c402c c94289 9380c4 3c4b84 5a7748 aa6ef3 1aaae6 9053d2 99154c fc717f ' +
    '8869ba 85570f 5c8b70 8039b4 547ac9 1cab4c bd250a db98d3 9f9e84 92afe2 705abe a78ab3 cc5e60 8990f6 9a42aa ' +
    '349640 a2167d 11a6be 36767f a44f32 3f5358 81688f 357333 2c81e2',
);

/**
 * Muted: none has a chroma above 0.135 in OKLab, where the cell types reach 0.23, and none is within 0.05 of one of the
 * ten. So a map of clusters is not mistaken for one of cell types.
 */
export const clusterColours: readonly string[] = hexColours(
  '5a82d2 fa9678 78460a 88487c d3a542 49584c 44bdeb a2b6b5 918d64 a366ad 6dc184 33a9af 92333e 2761a4 c58597 ' +
    'e498e1 c3811d a390e8 7c615e 566b04 6865bb bc6f95 1d7d41 748077 39499a 6a4767 dc80b1 7e9a41 4596c9 905f7d ' +
    '029e74 0b7250 8685aa 67a185 ab496b 644886 8489e3 2881ab a56765 979e62 676491 827119 8e71c1 588d43 c99fc9 ' +
    'a87cc0 9a5201 83831c 1c575a b1b05d 794997 e69c98 7cabff aa9d27 48b9c8 5f8b95 4a5e7d 666330 c16d2b 8a6e95 ' +
    '909ece 505129 db7d80 147c85',
);

/**
 * For all other columns. A column begins anywhere in this cyclic sequence, so any twenty in a row are as far apart as
 * the first twenty of the others.
 */
export const columnColours: readonly string[] = hexColours(
  'a274e7 968914 ed9f60 ad729c 559e51 8e5003 5c9ec3 cdb100 6a7803 ca958f 95a917 b0b687 8f6b61 df78d2 1fa9ff ' +
    '017088 51448a 56847f 8ab4f1 5f4dbc 584c4d a652b5 125668 938d8b 8c2e6d 725d34 4d72de e698c2 903001 bc5302 ' +
    '7b85f7 da6d00 86c05b cc66ad ad8948 92545f 12a4d7 807b43 68aa7a 7c609a da920a c0ae9e b06e68 0890a5 c989fa ' +
    '325d88 ad94aa 657581 aaafde 665dcc 7a3d3c 483dab f36f6c 7c80c5 a13079 4e6847 3b75b8 b03b43 624b09 8047a3',
);
