import type { FailedLine, ProcessedLine } from '@account-import/client'
import type { FieldError } from '@account-import/core'
import { interrupted } from '../account-files/file-failure.js'
import { csvOf } from '../account-files/output/csv.js'
import { type OutputPaths, Outputs, type Written } from '../account-files/output/outputs.js'
import { errorRows, CsvTable } from '../account-files/output/rows.js'
import type { Surroundings } from '../account-files/pass.js'
import { errorsOf, type LineState } from './import-job.js'
import { Service, type ServiceSetup } from './service.js'

/** Creates everything that a supplier has staged. */
export type ProcessJob = Readonly<{
  supplier: string
  team: string
  dryRun: boolean
  outputs: OutputPaths
}>

type Settled = Readonly<{
  state: LineState
  errors: readonly FieldError[]
  platformNumber: string | undefined
}>

const settledOf = (result: ProcessedLine | FailedLine): Settled => {
  if (result.outcome === 'done') {
    const { platformAccountNumber: platformNumber } = result
    return { state: platformNumber === undefined ? 'valid' : 'created', errors: [], platformNumber }
  }
  return result.code === 'account_already_imported'
    ? { state: 'existing', errors: [], platformNumber: result.problem.platform_account_number }
    : { state: 'failed', errors: errorsOf(result), platformNumber: undefined }
}

/** Writes what is known of each result, as it comes. */
class ProcessTables {
  private readonly outputs: Outputs
  private readonly supplier: string

  constructor(outputs: Outputs, supplier: string) {
    this.outputs = outputs
    this.supplier = supplier
  }

  async add(number: string, line: number, { errors, platformNumber }: Settled): Promise<void> {
    const { wants } = this.outputs
    if (wants.mapping && platformNumber !== undefined)
      await this.outputs.add({ mapping: csvOf([[this.supplier, number, platformNumber]]) })
    if (!wants.errors || errors.length === 0) return
    const table = new CsvTable()
    const key = { importSupplier: this.supplier, externalAccountNumber: number }
    table.add(errorRows(line, { errors, warnings: [], ...key }))
    await this.outputs.add({ errors: table.bytes() })
  }
}

export type ProcessSurroundings = Pick<Surroundings, 'progress' | 'print'>

export type ProcessOutcome = Readonly<{ seconds: number; written: readonly Written[] }>

const processAll = async (
  job: ProcessJob,
  outputs: Outputs,
  asked: ServiceSetup,
  { progress }: ProcessSurroundings,
): Promise<void> => {
  const { client, tally, stop } = asked
  // How many there are is for the view alone: a key may process without being allowed to read.
  const before = await client.accountImportSummary(job.supplier, { signal: stop })
  const tables = new ProcessTables(outputs, job.supplier)
  const request = {
    import_supplier_code: job.supplier,
    operations_team_name: job.team,
    dry_run: job.dryRun,
  }
  progress.begin(before.ok ? before.body.staged : undefined)
  try {
    await new Service(asked, 1).process(request, async (result) => {
      const settled = settledOf(result)
      tally.add(settled)
      progress.update(tally.accounts, tally.accounts)
      await tables.add(result.externalAccountNumber ?? '', result.line, settled)
    })
  } finally {
    progress.end()
  }
}

/** Processes what the supplier has staged; again, it goes on. Rejects as `runImport` does. */
export const runProcess = async (
  job: ProcessJob,
  asked: ServiceSetup,
  surroundings: ProcessSurroundings,
): Promise<ProcessOutcome> => {
  const began = performance.now()
  const outputs = await Outputs.open(job.outputs, surroundings.print)
  try {
    await processAll(job, outputs, asked, surroundings)
    return { seconds: (performance.now() - began) / 1000, written: await outputs.publish() }
  } catch (cause) {
    throw asked.stop.aborted ? interrupted() : cause
  } finally {
    await outputs.discard()
  }
}
