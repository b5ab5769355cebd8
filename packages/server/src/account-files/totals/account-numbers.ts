/** Characters of numbers that are remembered. */
const defaultLimit = 268_435_456

type Opened = Readonly<{ at: number; numbers: readonly string[] }>

/** The account number of each line of a file, in one text for each batch: as many bytes as it has letters, and one more. */
export class AccountNumbers {
  /** False when there were more than are remembered. */
  complete = true
  private readonly firstLines: number[] = []
  private readonly batches: string[] = []
  private readonly limit: number
  private characters = 0
  /** The batches that were looked into last: mostly that of a first occurrence, and the present one. */
  private opened: readonly Opened[] = []

  constructor(limit = defaultLimit) {
    this.limit = limit
  }

  /** The numbers of a batch, each line one line. Batches have to come in the order of the file. */
  add(firstLine: number, numbers: string): void {
    this.characters += numbers.length
    if (this.characters > this.limit) {
      this.complete = false
      return
    }
    this.firstLines.push(firstLine)
    this.batches.push(numbers)
  }

  /** Undefined where the line has no valid number, or it is not remembered. */
  at(line: number): string | undefined {
    const at = this.batchOf(line)
    const number = this.numbersOf(at)[line - (this.firstLines[at] ?? 0)]
    return number === '' ? undefined : number
  }

  /** The last batch that begins on or before the line. */
  private batchOf(line: number): number {
    let [low, high] = [0, this.firstLines.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.firstLines[middle] ?? 0) <= line) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  private numbersOf(at: number): readonly string[] {
    const known = this.opened.find((each) => each.at === at)
    if (known !== undefined) return known.numbers
    const numbers = this.batches[at]?.split('\n') ?? []
    this.opened = [{ at, numbers }, ...this.opened.slice(0, 1)]
    return numbers
  }
}
