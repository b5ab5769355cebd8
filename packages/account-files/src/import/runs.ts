import type { Client, Failure } from '@account-import/client'
import { interrupted } from '../outcomes/file-failure.js'
import type { Piece } from '../lines/pieces.js'
import { importLines, ImportStopped } from './import-job.js'

/** An import run that was opened for the accounts of a supplier. */
type SupplierRun = Readonly<{ import_supplier: string; id: string }>

/** The source and label of runs. `reread`: reads the file again from its beginning; undefined for a stream. */
export type RunsOf = Readonly<{
  reread: (() => AsyncIterable<Piece>) | undefined
  source: Readonly<{ name: string; sha256: string; accounts?: number }> | undefined
  label: string | undefined
}>

const isFinished = (cause: unknown): boolean =>
  cause instanceof ImportStopped && cause.failure.code === 'import_run_finished'

const supplierIn = (piece: Piece): string | undefined =>
  piece.kind === 'long line'
    ? undefined
    : importLines(piece.bytes).find(({ importSupplier }) => importSupplier !== undefined)?.importSupplier

/** The supplier that the first readable account of a file names. Rejects with `input_unreadable`, or as interrupted. */
const firstSupplierIn = async (
  pieces: AsyncIterable<Piece>,
  signal: AbortSignal,
): Promise<string | undefined> => {
  for await (const piece of pieces) {
    if (signal.aborted) throw interrupted()
    const found = supplierIn(piece)
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * Whether the service refuses the run but will respond for each account: the supplier does not exist, or the key may do one step
 * alone.
 */
const isOfAccounts = ({ code, problem }: Failure): boolean =>
  code === 'permission_denied' ||
  (code === 'request_failed_validation' && problem.errors.every(({ attr }) => attr === 'import_supplier'))

/** The import runs of a file: one for each supplier, opened before its first account. */
export class Runs {
  private readonly opened = new Map<string, Promise<string | undefined>>()
  private readonly runs: SupplierRun[] = []
  private first: Promise<string | undefined> | undefined

  private readonly client: Client
  private readonly of: RunsOf
  private readonly options: Readonly<{ signal: AbortSignal; retrySeconds: number }>

  constructor(client: Client, of: RunsOf, options: Runs['options']) {
    this.client = client
    this.of = of
    this.options = options
  }

  /**
   * Sends accounts of a supplier under its run; `send` gets the id, or undefined for accounts without a run. Lines without a
   * readable supplier belong to the run of another supplier of the file. If another client finishes the run, such as another import
   * of the same file, sends the rest under a new run. Rejects with `ImportStopped`.
   */
  async within(
    importSupplier: string | undefined,
    send: (id: string | undefined) => Promise<void>,
  ): Promise<void> {
    const supplier = importSupplier ?? this.runs[0]?.import_supplier ?? (await this.firstSupplier())
    if (supplier === undefined) return send(undefined)
    for (;;) {
      const opening = this.opened.get(supplier) ?? this.open(supplier)
      this.opened.set(supplier, opening)
      const id = await opening
      try {
        return await send(id)
      } catch (cause) {
        if (id === undefined || !isFinished(cause)) throw cause
        if (this.opened.get(supplier) === opening) this.opened.delete(supplier)
      }
    }
  }

  /**
   * Finishes all runs after the last account; answers each with `finished`. A run stays unfinished if the service does not
   * respond, and counts as interrupted there; the import is complete nevertheless.
   */
  async finish() {
    const finished: (SupplierRun & Readonly<{ finished: boolean }>)[] = []
    for (const run of this.runs) {
      const { ok } = await this.client.finishImportRun(run.id, this.options)
      finished.push({ ...run, finished: ok })
    }
    return finished
  }

  /** The ids of the runs that were opened. */
  ids(): readonly string[] {
    return this.runs.map(({ id }) => id)
  }

  /** Reads the file for a supplier, as its first lines may have no readable one. */
  private firstSupplier(): Promise<string | undefined> {
    const { reread } = this.of
    if (reread === undefined) return Promise.resolve(undefined)
    this.first ??= firstSupplierIn(reread(), this.options.signal)
    return this.first
  }

  private async open(importSupplier: string): Promise<string | undefined> {
    const { label, source } = this.of
    const request = {
      import_supplier: importSupplier,
      ...(label !== undefined && { label }),
      ...(source && { source }),
    }
    // The client repeats the request. With the same key it opens no second run.
    const options = { ...this.options, idempotencyKey: crypto.randomUUID() }
    const opened = await this.client.openImportRun(request, options)
    if (!opened.ok) {
      if (isOfAccounts(opened)) return undefined
      throw new ImportStopped(opened)
    }
    this.runs.push({ import_supplier: importSupplier, id: opened.body.id })
    return opened.body.id
  }
}
