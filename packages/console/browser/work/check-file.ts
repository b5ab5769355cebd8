import {
  type Batch,
  type BatchOutcome,
  blanked,
  checkBatch,
  type Conversion,
  fieldAnchor,
  type JudgedBy,
  meaningText,
  passOf,
  type Piece,
  piecesOf,
  tableHeads,
} from '@account-import/account-files'
import { builtInSettings } from '@account-import/core'
import type { ExtraFinding } from '@account-import/core/adapter-kit'
import { FileSource } from './file-source.js'
import type { CheckResult, PageData, Places } from '../page/protocol.js'

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

const supplierIsMissing: readonly ExtraFinding[] = [
  { path: ['import_supplier'], code: 'import_supplier_does_not_exist' },
]

/** As the service does: by the settings of the supplier that an account names. */
const judgedBySuppliers = (suppliers: PageData['suppliers']): JudgedBy => {
  const known = new Map(suppliers.map(({ code, context }) => [code, { context }]))
  const first = suppliers[0]
  if (first === undefined) throw new Error('There is no supplier.')
  const unknown = { context: { ...first.context, settings: builtInSettings } }
  return (supplier) =>
    supplier === undefined ? unknown : (known.get(supplier) ?? { ...unknown, extra: supplierIsMissing })
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
  suppliers: PageData['suppliers'],
  onProgress: OnProgress,
): Promise<Checked> => {
  const began = performance.now()
  const source = new FileSource(file)
  const [valid, heads] = [new LineSet(), tableHeads(false)]
  const [failures, findings] = [new Table(heads.failures), new Table(heads.errors)]
  const setup = {
    wants: { failures: 'table', errors: true, mapping: false },
    judgedBy: judgedBySuppliers(suppliers),
    onValid: (line: number) => valid.add(line),
  } as const
  const pass = passOf({
    wants: setup.wants,
    checker: { check: async (batch: Batch): Promise<BatchOutcome> => checkBatch(batch, setup) },
    ahead: 0,
    add: (outcome) => {
      failures.add(outcome.failures)
      findings.add(outcome.errors)
    },
    update: (accounts) => onProgress(source, accounts),
  })
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
}
