// A map of cells with a lasso, on a canvas: pixels are written by themselves, as a million cells have no time for shapes.

const missing = [200, 200, 200];
/** Colors of numbers from the lowest to the highest, of matplotlib's viridis. */
const ramp = [
  [68, 1, 84],
  [59, 82, 139],
  [33, 145, 140],
  [94, 201, 98],
  [253, 231, 37],
];
const faded = 0.12;

/** @param t from 0 to 1 */
function rampColor(t) {
  const at = Math.min(Math.max(t, 0), 1) * (ramp.length - 1);
  const below = Math.min(Math.floor(at), ramp.length - 2);
  return ramp[below].map((value, channel) => value + (at - below) * (ramp[below + 1][channel] - value));
}

function hexColor(text) {
  return [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
}

/** Bytes of the model, aligned for the wider numbers of a typed array. */
function typed(view, Type) {
  return new Type(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
}

/** An order of drawing that depends on no value, but for cells at level 1, which lie below: those that do not express a gene. */
function drawingOrder(levels, isGene) {
  const order = Uint32Array.from(levels.keys());
  let state = 1;
  for (let at = order.length - 1; at > 0; at--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const other = Math.floor((state / 2 ** 32) * (at + 1));
    [order[at], order[other]] = [order[other], order[at]];
  }
  const isBelow = (cell) => levels[cell] === 0 || (isGene && levels[cell] === 1);
  const below = order.filter(isBelow);
  const above = order.filter((cell) => !isBelow(cell));
  order.set(below);
  order.set(above, below.length);
  return order;
}

function contains(polygon, x, y) {
  let isInside = false;
  for (let at = 0, before = polygon.length - 1; at < polygon.length; before = at++) {
    const [ax, ay] = polygon[at];
    const [bx, by] = polygon[before];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isInside = !isInside;
  }
  return isInside;
}

class CellMap {
  constructor(model, el) {
    this.model = model;
    this.camera = { x: 0.5, y: 0.5, zoom: 1 };
    this.isLasso = true;
    this.path = [];
    this.build(el);
    this.read();
    this.reads = () => {
      this.read();
      this.draw();
    };
    model.on('change:_levels', this.reads);
    this.resizes = new ResizeObserver(() => this.draw());
    this.resizes.observe(this.canvas);
    this.draw();
  }

  stop() {
    this.model.off('change:_levels', this.reads);
    cancelAnimationFrame(this.frame);
    this.resizes.disconnect();
  }

  build(el) {
    const make = (tag, parent, attributes = {}) =>
      parent.appendChild(Object.assign(document.createElement(tag), attributes));
    el.classList.add('cellfolio-map');
    this.title = make('div', el, { className: 'cellfolio-title' });
    const bar = make('div', el, { className: 'cellfolio-bar' });
    this.buttons = ['Lasso', 'Move'].map((name) =>
      make('button', bar, {
        type: 'button',
        textContent: name,
        onclick: () => this.choose(name === 'Lasso'),
      }),
    );
    make('button', bar, { type: 'button', textContent: 'Whole map', onclick: () => this.reset() });
    make('button', bar, {
      type: 'button',
      textContent: 'Clear selection',
      onclick: () => this.select(() => false),
    });
    this.count = make('output', bar);
    const row = make('div', el, { className: 'cellfolio-row' });
    this.canvas = make('canvas', row);
    this.canvas.setAttribute('role', 'img');
    this.legend = make('ul', row, { className: 'cellfolio-legend' });
    this.canvas.addEventListener('pointerdown', (event) => this.press(event));
    this.canvas.addEventListener('pointermove', (event) => this.move(event));
    this.canvas.addEventListener('pointerup', (event) => this.release(event));
    this.canvas.addEventListener('pointercancel', () => this.drop());
    this.canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    this.canvas.addEventListener('dblclick', () => this.reset());
    this.choose(true);
  }

  read() {
    const { model } = this;
    this.positions = typed(model.get('_positions'), Float32Array);
    this.levels = typed(model.get('_levels'), Uint16Array);
    const facts = model.get('_facts');
    this.colors =
      facts.colors.length > 0
        ? facts.colors.map(hexColor)
        : Array.from({ length: 254 }, (_, at) => rampColor(at / 253));
    this.order = drawingOrder(this.levels, facts.is_gene);
    this.bits = new Uint8Array(Math.ceil(this.levels.length / 8));
    this.selected = 0;
    this.title.textContent = facts.title;
    this.canvas.setAttribute('aria-label', facts.title);
    this.legend.replaceChildren(
      ...facts.legend.map((label, at) => this.legendItem(label, facts.legend_levels[at])),
    );
    this.tell();
  }

  legendItem(label, level) {
    const item = document.createElement('li');
    const swatch = document.createElement('span');
    const [red, green, blue] = level === 0 ? missing : this.colors[level - 1];
    swatch.style.background = `rgb(${red} ${green} ${blue})`;
    // As text: labels come from files.
    item.append(swatch, document.createTextNode(label));
    return item;
  }

  choose(isLasso) {
    this.isLasso = isLasso;
    this.buttons.forEach((button, at) => button.setAttribute('aria-pressed', String((at === 0) === isLasso)));
    this.canvas.style.cursor = isLasso ? 'crosshair' : 'grab';
  }

  reset() {
    this.camera = { x: 0.5, y: 0.5, zoom: 1 };
    this.draw();
  }

  /** Pixels of a place on the map; the second axis points up. */
  scale() {
    const { width, height } = this.canvas;
    return (Math.min(width, height) - 16) * this.camera.zoom;
  }
  toScreen(cell) {
    const scale = this.scale();
    return [
      this.canvas.width / 2 + (this.positions[2 * cell] - this.camera.x) * scale,
      this.canvas.height / 2 - (this.positions[2 * cell + 1] - this.camera.y) * scale,
    ];
  }
  pointOf(event) {
    const ratio = this.canvas.width / this.canvas.clientWidth;
    return [event.offsetX * ratio, event.offsetY * ratio];
  }

  press(event) {
    if (event.button !== 0) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.path = [this.pointOf(event)];
  }

  move(event) {
    if (this.path.length === 0) return;
    const [x, y] = this.pointOf(event);
    const [beforeX, beforeY] = this.path.at(-1);
    if (this.isLasso) {
      if (Math.hypot(x - beforeX, y - beforeY) < 4) return;
      this.path.push([x, y]);
      this.draw();
      return;
    }
    this.camera.x -= (x - beforeX) / this.scale();
    this.camera.y += (y - beforeY) / this.scale();
    this.path = [[x, y]];
    this.draw();
  }

  release(event) {
    const { path } = this;
    this.drop();
    if (!this.isLasso || path.length < 3) return;
    const isIn = (cell) => contains(path, ...this.toScreen(cell));
    const wasIn = (cell) => (this.bits[cell >> 3] >> (cell & 7)) & 1;
    if (event.shiftKey) this.select((cell) => wasIn(cell) || isIn(cell));
    else if (event.altKey) this.select((cell) => wasIn(cell) && !isIn(cell));
    else this.select(isIn);
  }

  drop() {
    this.path = [];
    this.draw();
  }

  wheel(event) {
    event.preventDefault();
    const [x, y] = this.pointOf(event);
    const fromCenter = [x - this.canvas.width / 2, this.canvas.height / 2 - y];
    const before = this.scale();
    this.camera.zoom = Math.min(Math.max(this.camera.zoom * Math.exp(-event.deltaY / 400), 0.5), 2000);
    const after = this.scale();
    this.camera.x += fromCenter[0] / before - fromCenter[0] / after;
    this.camera.y += fromCenter[1] / before - fromCenter[1] / after;
    this.draw();
  }

  select(test) {
    const bits = new Uint8Array(this.bits.length);
    this.selected = 0;
    for (let cell = 0; cell < this.levels.length; cell++) {
      if (Number.isNaN(this.positions[2 * cell]) || !test(cell)) continue;
      bits[cell >> 3] |= 1 << (cell & 7);
      this.selected++;
    }
    this.bits = bits;
    this.model.set('_bits', new DataView(bits.buffer));
    this.model.save_changes();
    this.tell();
    this.draw();
  }

  tell() {
    const number = (value) => value.toLocaleString('en');
    this.count.textContent = `${number(this.selected)} of ${number(this.levels.length)} cells selected`;
  }

  /** At the next frame: several events of one are drawn once. */
  draw() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.drawNow();
    });
  }

  drawNow() {
    const { canvas } = this;
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth * ratio, canvas.clientHeight * ratio].map(Math.round);
    if (width === 0 || height === 0) return;
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const context = canvas.getContext('2d');
    const image = context.createImageData(width, height);
    this.paint(new Uint32Array(image.data.buffer), width, height, ratio);
    context.putImageData(image, 0, 0);
    if (this.isLasso && this.path.length > 0) this.outline(context, ratio);
  }

  paint(pixels, width, height, ratio) {
    const { positions, levels, order, bits, selected } = this;
    const colors = [missing, ...this.colors].map(([red, green, blue]) => (blue << 16) | (green << 8) | red);
    const crowd = Math.sqrt(levels.length / this.camera.zoom ** 1.2);
    const radius = Math.round(Math.min(Math.max((180 * ratio) / crowd, 0.4 * ratio), 5 * ratio));
    const reaches = Array.from({ length: 2 * radius + 1 }, (_, row) =>
      Math.floor(Math.sqrt((radius + 0.5) ** 2 - (row - radius) ** 2)),
    );
    const scale = this.scale();
    const [left, top] = [width / 2 - this.camera.x * scale, height / 2 + this.camera.y * scale];
    // Cells that are not selected lie below those that are.
    for (let layer = 0; layer < (selected > 0 ? 2 : 1); layer++) {
      const alpha = (selected > 0 && layer === 0 ? Math.round(255 * faded) : 255) << 24;
      for (let at = 0; at < order.length; at++) {
        const cell = order[at];
        if (selected > 0 && ((bits[cell >> 3] >> (cell & 7)) & 1) !== layer) continue;
        const x = Math.round(left + positions[2 * cell] * scale);
        const y = Math.round(top - positions[2 * cell + 1] * scale);
        // Also false for a cell without a position.
        if (!(x >= radius && x < width - radius && y >= radius && y < height - radius)) continue;
        const color = colors[levels[cell]] | alpha;
        for (let row = -radius; row <= radius; row++) {
          const middle = (y + row) * width + x;
          const reach = reaches[row + radius];
          for (let pixel = middle - reach; pixel <= middle + reach; pixel++) pixels[pixel] = color;
        }
      }
    }
  }

  outline(context, ratio) {
    context.beginPath();
    for (const [x, y] of this.path) context.lineTo(x, y);
    context.closePath();
    context.strokeStyle = '#3c69f0';
    context.lineWidth = 2 * ratio;
    context.stroke();
  }
}

function render({ model, el }) {
  const map = new CellMap(model, el);
  return () => map.stop();
}

// oxlint-disable-next-line import/no-default-export -- anywidget takes it
export default { render };
