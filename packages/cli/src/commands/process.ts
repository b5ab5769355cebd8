import {
  interrupted,
  csvOf,
  CsvTable,
  errorRows,
  counted,
  decimalText,
  assertAccess,
  scopesOf,
  errorsOf,
  type LineOutcome,
  statesText,
  type Tally,
  bulkRequests,
  type Processed,
  type ServiceSetup,
} from '@account-import/account-files'
import { E } from '@account-import/core/fp'
import { Outputs, type Written } from '../account-files/output/outputs.js'
import type { Progress } from '../account-files/pass.js'
import { given } from '../kit/arguments.js'
import {
  type CliContext,
  type CommandOutput,
  exampleService,
  exitCode,
  leafCommand,
  refused,
} from '../kit/command.js'
import { withWork, type WorkOptions } from '../kit/connection.js'
import { commandLine, noTeam, runWith } from '../kit/file-run.js'
import { errorsOption, OutputFile } from '../kit/files.js'
import { secondsJson, writtenText } from '../kit/output.js'

type Options = WorkOptions &
  Readonly<{ supplier: string; team?: string; dryRun?: true; errors?: string; mapping?: string }>

type Settled = Pick<LineOutcome, 'state' | 'errors' | 'platformAccountNumber'>

const settledOf = (result: Processed): Settled => {
  if (result.outcome === 'done') {
    const { platformAccountNumber } = result
    return {
      state: platformAccountNumber === undefined ? 'valid' : 'created',
      errors: [],
      platformAccountNumber,
    }
  }
  return result.code === 'account_already_imported'
    ? { state: 'existing', errors: [], platformAccountNumber: result.problem.platform_account_number }
    : { state: 'failed', errors: errorsOf(result) }
}

/** Writes each result as soon as it arrives. */
const write = async (outputs: Outputs, supplier: string, result: Processed, settled: Settled) => {
  const { errors, platformAccountNumber } = settled
  const { externalAccountNumber = '', line } = result
  if (platformAccountNumber !== undefined)
    await outputs.add({ mapping: csvOf([[supplier, externalAccountNumber, platformAccountNumber]]) })
  if (errors.length === 0) return
  const table = new CsvTable()
  table.add(errorRows(line, { errors, warnings: [], importSupplier: supplier, externalAccountNumber }))
  await outputs.add({ errors: table.bytes() })
}

/** Creates all staged accounts of a supplier. A second run resumes. Rejects as `runImport` does. */
const processAll = async (
  { supplier, team, dryRun }: Options & Readonly<{ team: string }>,
  outputs: Outputs,
  setup: ServiceSetup,
  progress: Progress,
): Promise<void> => {
  const { client, tally, stop } = setup
  await assertAccess(client, { scopes: scopesOf('process', false), importSuppliers: [supplier], team }, stop)
  // The count is for the progress alone, so its failure is ignored: a key may have the scope process without read.
  const before = await client.accountImportSummary(supplier, { signal: stop })
  const request = {
    import_supplier_code: supplier,
    operations_team_name: team,
    dry_run: dryRun === true,
  }
  if (before.ok) tally.read = before.body.staged
  try {
    // One request creates all accounts, which may take hours: it is not waited for.
    await bulkRequests({ ...setup, cut: stop }, 1).process(request, async (result) => {
      const settled = settledOf(result)
      tally.add(settled)
      await write(outputs, supplier, result, settled)
    })
  } catch (cause) {
    throw stop.aborted ? interrupted() : cause
  } finally {
    progress.end()
  }
}

const outputOf = (
  { supplier, dryRun }: Options,
  seconds: number,
  written: readonly Written[],
  tally: Tally,
): CommandOutput => {
  const { accounts, states } = tally
  const counts = accounts === 0 ? 'Nothing is staged.' : `${statesText(states)}.`
  const text = `${counted(accounts, 'account')} in ${decimalText(seconds)} s.\n${counts}`
  return {
    json: {
      import_supplier: supplier,
      dry_run: dryRun === true,
      accounts,
      ...states,
      errors: tally.topCodes(Number.POSITIVE_INFINITY),
      seconds: secondsJson(seconds),
    },
    message: [text, ...writtenText(written)].join('\n'),
    exitCode: states.failed > 0 ? exitCode.dataHasFailures : exitCode.done,
  }
}

/** `process --supplier S --team T --url U …`: the second half of an import. */
export const make = (context: CliContext) => {
  const command = withWork(
    leafCommand('process').example(`process ${exampleService} --supplier LEVANTE --team 'Migration team'`),
  )
    .requiredOption('--supplier <code>', 'import supplier code')
    .option('--team <name>', 'the operations team that accounts are created under')
    .option('--dry-run', 'create nothing; report which accounts could be created')
    .addOption(errorsOption('errors'))
    .addOption(
      new OutputFile(
        '--mapping <file>',
        'write external and platform number of each account that was created: CSV',
      ),
    )
  return command.action(async (asked: Options) => {
    const { errors, mapping, supplier, team } = asked
    if (team === undefined) return context.finish(E.left(refused('usage', noTeam)))
    const options = { ...asked, team }
    const paths = given({ errors, mapping })
    const work: Parameters<typeof runWith>[3] = async (setup, { progress, print }) => {
      const began = performance.now()
      const outputs = await Outputs.open(paths, print)
      try {
        await processAll(options, outputs, setup, progress)
        const seconds = (performance.now() - began) / 1000
        return outputOf(options, seconds, await outputs.publish(), setup.tally)
      } finally {
        await outputs.discard()
      }
    }
    context.finish(await runWith(context.io, options, commandLine(command, []), work, supplier))
  })
}
