/**
 * xoshiro128++ (Blackman and Vigna, Scrambled linear pseudorandom number generators, 2021), its state filled by the
 * 32-bit finaliser of MurmurHash3 over a counter. The same seeds give the same numbers on every machine.
 */
export class RandomSource {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  /** @param seeds unsigned 32-bit integers; their order counts */
  constructor(...seeds: readonly number[]) {
    let state = 0x9e3779b9;
    for (const seed of seeds) state = mix(state ^ mix(seed + 0x7f4a7c15));
    this.#a = mix(state + 1);
    this.#b = mix(state + 2);
    this.#c = mix(state + 3);
    this.#d = mix(state + 4) | 1;
  }

  /** 32 random bits, as a signed integer. */
  bits(): number {
    const sum = (this.#a + this.#d) | 0;
    const result = (((sum << 7) | (sum >>> 25)) + this.#a) | 0;
    const shifted = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= shifted;
    this.#d = (this.#d << 11) | (this.#d >>> 21);
    return result;
  }

  /** In [0, 1). */
  uniform(): number {
    return (this.bits() >>> 0) / 4294967296;
  }

  /** In [low, high). */
  between(low: number, high: number): number {
    return low + (high - low) * this.uniform();
  }

  pick<T>(list: readonly [T, ...T[]]): T {
    return list[Math.floor(this.uniform() * list.length)] ?? list[0];
  }

  /** Standard normal: the ziggurat of Marsaglia and Tsang (2000), 128 layers. */
  normal(): number {
    for (;;) {
      const bits = this.bits();
      const layer = bits & 127;
      const edge = EDGES[layer] ?? 0;
      const value = (bits >> 7) * (edge / 16777216);
      const inner = EDGES[layer + 1] ?? 0;
      if (Math.abs(value) < inner) return value;
      if (layer === 0) return value < 0 ? -this.#tail() : this.#tail();
      const low = density(edge);
      if (low + (density(inner) - low) * this.uniform() < density(value)) return value;
    }
  }

  /** Beyond the last edge (Marsaglia 1964). */
  #tail(): number {
    for (;;) {
      const x = -Math.log(1 - this.uniform()) / TAIL;
      const y = -Math.log(1 - this.uniform());
      if (2 * y > x * x) return TAIL + x;
    }
  }
}

/** 32 bits: FNV-1a over UTF-16 code units, then mixed. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return mix(hash) >>> 0;
}

function mix(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** The start of the tail, and the area of each layer, for 128 layers. */
const TAIL = 3.442619855899;
const AREA = 9.91256303526217e-3;

function density(x: number): number {
  return Math.exp(-0.5 * x * x);
}

/** Right edges of the layers, widest first; the last is 0. */
const EDGES = layerEdges();

function layerEdges(): Float64Array {
  const edges = new Float64Array(129);
  edges[0] = AREA / density(TAIL);
  let edge = TAIL;
  for (let layer = 1; layer < 128; layer++) {
    edges[layer] = edge;
    edge = Math.sqrt(-2 * Math.log(Math.min(1, AREA / edge + density(edge))));
  }
  return edges;
}
