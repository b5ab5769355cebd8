import type { FileTotals } from '../outcomes/counts.js'

type Repeat = FileTotals['repeats']['examples'][number]

const rotated = (bits: number, by: number): number => (bits << by) | (bits >>> (32 - by))

/** MurmurHash3 of 32 bits, over the code units of a text. */
const halfOf = (text: string, seed: number, first: number, second: number): number => {
  let hash = seed
  for (let at = 0; at < text.length; at += 1) {
    hash ^= Math.imul(rotated(Math.imul(text.charCodeAt(at), first), 15), second)
    hash = (Math.imul(rotated(hash, 13), 5) + 0xe6_54_6b_64) | 0
  }
  hash ^= text.length
  hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2_b2_ae_35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Two halves of a 64-bit hash of the texts. Collisions that are made on purpose harm only the owner of the file. */
export const keyHash = (texts: readonly string[]): readonly [high: number, low: number] => {
  const text = JSON.stringify(texts)
  return [halfOf(text, 1, 0xcc_9e_2d_51, 0x1b_87_35_93), halfOf(text, 2, 0x23_9b_96_1b, 0xab_0e_97_89)]
}

/** The most stored keys, in at most 24 MiB; repeats of later keys are not found. */
const mostKeys = 1_048_576

const exampleLimit = 20
const initialSlots = 4096

type Slots = Readonly<{ high: Uint32Array; low: Uint32Array; line: Uint32Array }>

const slotsFor = (count: number): Slots => ({
  high: new Uint32Array(count),
  low: new Uint32Array(count),
  line: new Uint32Array(count),
})

/** The slot that contains the hash, or the free slot for it. Line 0 marks a free slot. */
const slotOf = ({ high, low, line }: Slots, first: number, second: number): number => {
  const mask = line.length - 1
  let at = second & mask
  while (line[at] !== 0 && (high[at] !== first || low[at] !== second)) at = (at + 1) & mask
  return at
}

/**
 * Finds repeated keys of a file, such as those of accounts, by their 64-bit hashes: 12 bytes in a table that is at most half
 * full, so 24 to 48 bytes a key. In a million keys the chance of a collision is about 1 in 37 million.
 */
export class RepeatedKeys {
  count = 0
  readonly examples: Repeat[] = []
  private readonly counts: (repeat: Repeat) => boolean
  private slots = slotsFor(initialSlots)
  private used = 0

  /** `counts`: whether a repeated key counts as a repeat. */
  constructor(counts: (repeat: Repeat) => boolean = () => true) {
    this.counts = counts
  }

  /** False when some keys were not stored, as the limit was reached. */
  complete = true

  /**
   * Adds the keys of a batch: for each the two halves of its hash, and its line minus `firstLine`. Requires batches in the order
   * of the file.
   */
  add(firstLine: number, keys: Uint32Array): void {
    for (let at = 0; at + 2 < keys.length; at += 3)
      this.see(keys[at] ?? 0, keys[at + 1] ?? 0, firstLine + (keys[at + 2] ?? 0))
  }

  private see(first: number, second: number, line: number): void {
    const at = slotOf(this.slots, first, second)
    const seen = this.slots.line[at] ?? 0
    if (seen === 0) return this.remember(at, first, second, line)
    const repeat = { line, firstLine: seen }
    if (!this.counts(repeat)) return
    this.count += 1
    if (this.examples.length < exampleLimit) this.examples.push(repeat)
  }

  private remember(at: number, first: number, second: number, line: number): void {
    if (this.used >= mostKeys || line > 0xff_ff_ff_ff) {
      this.complete = false
      return
    }
    this.put(this.slots, at, first, second, line)
    this.used += 1
    if (this.used * 2 > this.slots.line.length) this.grow()
  }

  private put({ high, low, line: lines }: Slots, at: number, first: number, second: number, line: number) {
    high[at] = first
    low[at] = second
    lines[at] = line
  }

  private grow(): void {
    const { high, low, line } = this.slots
    const wider = slotsFor(line.length * 2)
    for (let at = 0; at < line.length; at += 1) {
      const [first = 0, second = 0, kept = 0] = [high[at], low[at], line[at]]
      if (kept !== 0) this.put(wider, slotOf(wider, first, second), first, second, kept)
    }
    this.slots = wider
  }
}
