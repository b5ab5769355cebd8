import { csvOf } from './csv.js'
import type { ErrorRow } from './error-rows.js'

/** Rows are kept as objects only until there are so many: as text they take a fraction of the memory. */
const mostRows = 2000

const encoder = new TextEncoder()

/** Collects rows of the table of errors as CSV. */
export class ErrorTable {
  private rows: ErrorRow[] = []
  private readonly written: Uint8Array[] = []

  add(rows: readonly ErrorRow[]): void {
    for (const row of rows) this.rows.push(row)
    if (this.rows.length >= mostRows) this.write()
  }

  /** All rows so far, in UTF-8. */
  bytes(): Uint8Array<ArrayBuffer> {
    this.write()
    const all = new Uint8Array(this.written.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const part of this.written) {
      all.set(part, at)
      at += part.length
    }
    return all
  }

  private write(): void {
    this.written.push(encoder.encode(csvOf(this.rows)))
    this.rows = []
  }
}
