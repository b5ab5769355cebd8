import {
  type Conversion,
  fieldAnchor,
  meaningText,
  passOf,
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

const placesOf = (codes: CheckResult['totals']['codes']): Places =>
  Object.fromEntries(
    codes.flatMap(({ fields }) =>
      fields.map(({ field }) => [field, { anchor: fieldAnchor(field), meaning: meaningText(field) }]),
    ),
  )

/** The file of the latest check, for an import. */
export type Checked = Readonly<{ file: File; sha256: string; result: CheckResult }>

export type OnProgress = (source: Pick<FileSource, 'bytes' | 'size'>, accounts: number) => void

/** Checks a file in bounded memory. Rejects with a `FileFailure`. */
export const checkFile = async (
  file: File,
  checkThreads: CheckThreads,
  onProgress: OnProgress,
): Promise<Checked> => {
  const began = performance.now()
  const source = new FileSource(file)
  const heads = tableHeads(false)
  const [failures, findings] = [new Table(heads.failures), new Table(heads.errors)]
  const pass = passOf({
    wants,
    checker: checkThreads,
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
      valid: totals.accounts - totals.failed,
    }
    return { file, sha256: totals.sha256, result }
  } finally {
    checkThreads.end()
  }
}
