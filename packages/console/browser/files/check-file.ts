import {
  blanked,
  type Conversion,
  fieldAnchor,
  meaningText,
  passOf,
  type Piece,
  piecesOf,
  tableHeads,
} from '@account-import/account-files'
import { FileSource } from './file-source.js'
import type { CheckResult, Places } from '../page/protocol.js'
import { type CheckThreads, wants } from './check-threads.js'

export const conversion: Conversion = {
  command: 'the command account-import convert --init FOLDER',
  page: 'the tutorial "From a CSV export" of the documentation',
}

/** Large enough that the work on a batch outweighs its overhead, small enough to use little memory. */
export const batchBytes = 524_288

/** A table that grows beyond the memory of a tab: browsers keep large blobs on disk. */
export class Table {
  private whole: Blob

  constructor(head: string) {
    this.whole = new Blob([head], { type: 'text/csv' })
  }

  add(rows: Uint8Array<ArrayBuffer> | undefined): void {
    if (rows !== undefined && rows.length > 0) this.whole = new Blob([this.whole, rows], { type: 'text/csv' })
  }

  get blob(): Blob {
    return this.whole
  }
}

/** Numbers of lines, one bit each. */
export class LineSet {
  size = 0
  private bits = new Uint8Array(8192)

  add(line: number): void {
    const at = line >>> 3
    if (at >= this.bits.length) {
      const wider = new Uint8Array(2 * Math.max(this.bits.length, at))
      wider.set(this.bits)
      this.bits = wider
    }
    this.bits[at] = (this.bits[at] ?? 0) | (1 << (line & 7))
    this.size += 1
  }

  has(line: number): boolean {
    return ((this.bits[line >>> 3] ?? 0) & (1 << (line & 7))) !== 0
  }
}

/** Blanks the lines that are not in the set. Requires the pieces of a file in order. */
export const keeping = (lines: LineSet): ((piece: Piece) => Piece | undefined) => {
  let number = 0
  return (piece) => {
    if (piece.kind === 'lines')
      return { kind: 'lines', bytes: blanked(piece.bytes, () => lines.has((number += 1))) }
    // A line that is too long for memory is not valid.
    if (!piece.ends) return undefined
    number += 1
    return { kind: 'lines', bytes: Uint8Array.of(0x0a) }
  }
}

const placesOf = (codes: CheckResult['totals']['codes']): Places =>
  Object.fromEntries(
    codes.flatMap(({ fields }) =>
      fields.map(({ field }) => [field, { anchor: fieldAnchor(field), meaning: meaningText(field) }]),
    ),
  )

/** The file of the latest check, and its valid lines, for an import. */
export type Checked = Readonly<{ file: File; sha256: string; valid: LineSet; result: CheckResult }>

export type OnProgress = (source: Pick<FileSource, 'bytes' | 'size'>, accounts: number) => void

/** Checks a file in bounded memory. Rejects with a `FileFailure`. */
export const checkFile = async (
  file: File,
  checkThreads: CheckThreads,
  onProgress: OnProgress,
): Promise<Checked> => {
  const began = performance.now()
  const source = new FileSource(file)
  const [valid, heads] = [new LineSet(), tableHeads(false)]
  const [failures, findings] = [new Table(heads.failures), new Table(heads.errors)]
  const pass = passOf({
    wants,
    checker: {
      check: async (batch) => {
        const checked = await checkThreads.check(batch)
        for (const line of checked.valid) valid.add(line)
        return checked.outcome
      },
    },
    ahead: checkThreads.ahead,
    add: (outcome) => {
      failures.add(outcome.failures)
      findings.add(outcome.errors)
    },
    update: (accounts) => onProgress(source, accounts),
  })
  try {
    for await (const piece of piecesOf(source.content(), batchBytes, conversion)) await pass.take(piece)
    const totals = { ...(await pass.end()), bytes: source.bytes, sha256: source.sha256() }
    const result = {
      totals,
      places: placesOf(totals.codes),
      seconds: (performance.now() - began) / 1000,
      failures: failures.blob,
      findings: findings.blob,
      valid: valid.size,
    }
    return { file, sha256: totals.sha256, valid, result }
  } finally {
    checkThreads.end()
  }
}
