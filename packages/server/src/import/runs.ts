import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Client, Failure } from '@account-import/client'
import { interrupted } from '../account-files/file-failure.js'
import { unreadable } from '../account-files/input/source.js'
import { ImportStopped } from './import-job.js'

/** An import run that was opened for the accounts of a supplier. */
export type SupplierRun = Readonly<{ import_supplier: string; id: string }>

/** The file that runs send, and how they are told from others. */
export type RunsOf = Readonly<{
  source: Readonly<{ name: string; sha256: string }> | undefined
  label: string | undefined
}>

/**
 * The name and hash of a file by which its run goes on; undefined for a stream, which nobody can send a second time. Rejects with
 * `input_unreadable`, or as interrupted.
 */
export const sourceOf = async (path: string, signal: AbortSignal): Promise<RunsOf['source']> => {
  try {
    if (path === '-' || !(await stat(path)).isFile()) return undefined
    const hash = createHash('sha256')
    await pipeline(createReadStream(path, { highWaterMark: 1_048_576 }), hash, { signal })
    return { name: basename(path), sha256: hash.digest('hex') }
  } catch (cause) {
    throw signal.aborted ? interrupted() : unreadable(path, cause)
  }
}

/**
 * Refusals with which the service opens no run and yet answers for each account: the supplier is not there, or the key may do one
 * step alone.
 */
const isOfAccounts = ({ code, problem }: Failure): boolean =>
  code === 'permission_denied' ||
  (code === 'request_failed_validation' && problem.errors.every(({ attr }) => attr === 'import_supplier'))

/** The import runs of a file: one for each supplier, opened when its first account comes. */
export class Runs {
  private readonly opened = new Map<string, Promise<string | undefined>>()
  private readonly runs: SupplierRun[] = []

  private readonly client: Client
  private readonly of: RunsOf
  private readonly options: Readonly<{ signal: AbortSignal; retrySeconds: number }>

  constructor(client: Client, of: RunsOf, options: Runs['options']) {
    this.client = client
    this.of = of
    this.options = options
  }

  /** The runs so far, in the order in which they were opened. */
  get all(): readonly SupplierRun[] {
    return this.runs
  }

  /** The id of the supplier's run; undefined where accounts belong to none. Rejects with `ImportStopped`. */
  async idOf(importSupplier: string | undefined): Promise<string | undefined> {
    if (importSupplier === undefined) return this.runs[0]?.id
    const known = this.opened.get(importSupplier)
    if (known !== undefined) return known
    const opening = this.open(importSupplier)
    this.opened.set(importSupplier, opening)
    return opening
  }

  /** To be called when all accounts have been answered. Rejects with `ImportStopped`. */
  async finish(): Promise<void> {
    for (const { id } of this.runs) {
      const finished = await this.client.finishImportRun(id, this.options)
      if (!finished.ok) throw new ImportStopped(finished)
    }
  }

  private async open(importSupplier: string): Promise<string | undefined> {
    const { label, source } = this.of
    const opened = await this.client.openImportRun(
      { import_supplier: importSupplier, ...(label !== undefined && { label }), ...(source && { source }) },
      // Sent again with its key it opens no second run.
      { ...this.options, idempotencyKey: randomUUID() },
    )
    if (!opened.ok) {
      if (isOfAccounts(opened)) return undefined
      throw new ImportStopped(opened)
    }
    this.runs.push({ import_supplier: importSupplier, id: opened.body.id })
    return opened.body.id
  }
}
