import { createHash } from 'node:crypto'
import type { FileTotals } from '../counts.js'

type Repeat = FileTotals['repeats']['examples'][number]

/** Two halves of a 64-bit hash of the texts. */
export const keyHash = (texts: readonly string[]): readonly [high: number, low: number] => {
  const digest = createHash('sha256').update(JSON.stringify(texts)).digest()
  return [digest.readUInt32LE(0), digest.readUInt32LE(4)]
}

/** The most stored keys, in at most 384 MiB; repeats of later keys are not found. */
const mostKeys = 16_777_216

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
 * full, so 24 to 48 bytes a key. In ten million keys the chance of a collision is about 1 in 370 000.
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
