const TWO_TO_32 = 4_294_967_296

const rotated = (word: number, by: number): number => (word << by) | (word >>> (32 - by))

/** The final mixing of MurmurHash3: every bit of the word reaches every bit of the result. */
const mixed = (word: number): number => {
  let bits = word
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return bits ^ (bits >>> 16)
}

/**
 * Numbers that look random and are the same on every machine: xoshiro128** by Blackman and Vigna. Whole numbers
 * are 32 bits wide, so nothing depends on how a processor rounds.
 */
export class Random {
  private a: number
  private b: number
  private c: number
  private d: number

  /** Each pair of seed and index, two 32-bit numbers, has its own sequence. */
  constructor(seed: number, index: number) {
    this.a = mixed(seed + 0x9e3779b9)
    this.b = mixed(index + 0x3c6ef372)
    this.c = mixed(this.a ^ this.b)
    // A state of zeros would never change.
    this.d = mixed(this.c + 0x78dde6e4) | 1
    for (let warmUp = 0; warmUp < 8; warmUp++) this.word()
  }

  private word(): number {
    const result = Math.imul(rotated(Math.imul(this.b, 5), 7), 9)
    const shifted = this.b << 9
    this.c ^= this.a
    this.d ^= this.b
    this.b ^= this.c
    this.a ^= this.d
    this.c ^= shifted
    this.d = rotated(this.d, 11)
    return result >>> 0
  }

  /** A whole number from 0 to `limit - 1`; `limit` is at most 2^32. */
  below(limit: number): number {
    return Math.floor((this.word() / TWO_TO_32) * limit)
  }

  /** A whole number of the range, both ends included. */
  between(lowest: number, highest: number): number {
    return lowest + this.below(highest - lowest + 1)
  }

  /** True with this probability, 0 to 1. */
  chance(probability: number): boolean {
    return this.word() / TWO_TO_32 < probability
  }

  /** One of the items, of which there is at least one. */
  pick<const Items extends readonly [unknown, ...unknown[]]>(items: Items): Items[number] {
    return items[this.below(items.length)] ?? items[0]
  }

  /** A text of `length` decimal digits. */
  digits(length: number): string {
    let text = ''
    while (text.length < length) text += String(this.below(10))
    return text
  }
}
