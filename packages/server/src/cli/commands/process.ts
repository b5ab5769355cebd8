import { E } from '@account-import/core/adapter-kit'
import type { Command } from 'commander'
import { counted, decimalText } from '../../account-files/report/numbers.js'
import { type ProcessJob, type ProcessOutcome, runProcess } from '../../import/run-process.js'
import { statesText, type Tally } from '../../import/import-job.js'
import { given } from '../arguments.js'
import { type CliContext, type CommandOutput, exitCode, leafCommand } from '../command.js'
import { withWork, type WorkOptions } from '../connection.js'
import { commandLine, outputClash, runWith } from '../file-run.js'
import { secondsJson, writtenText } from '../output.js'

type Options = WorkOptions &
  Readonly<{ supplier: string; team: string; dryRun?: true; errors?: string; mapping?: string }>

const jobOf = ({ supplier, team, dryRun, errors, mapping }: Options): ProcessJob => ({
  supplier,
  team,
  dryRun: dryRun === true,
  outputs: given({ errors, mapping }),
})

const outputOf = (job: ProcessJob, { seconds, written }: ProcessOutcome, tally: Tally): CommandOutput => {
  const { accounts, states } = tally
  const counts = accounts === 0 ? 'Nothing is staged.' : `${statesText(states)}.`
  const text = `${counted(accounts, 'account')} in ${decimalText(seconds)} s.\n${counts}`
  return {
    json: {
      import_supplier: job.supplier,
      dry_run: job.dryRun,
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
export const make = (context: CliContext): Command => {
  const command = withWork(leafCommand('process'))
    .requiredOption('--supplier <code>', 'import supplier code')
    .requiredOption('--team <name>', 'the operations team that accounts are created under')
    .option('--dry-run', 'create nothing, and say what could be created')
    .option('--errors <file>', 'write all errors as a table: CSV; - for the standard output')
    .option('--mapping <file>', 'write external and platform number of each account that was created: CSV')
  return command.action(async (options: Options) => {
    const job = jobOf(options)
    const clash = await outputClash([], job.outputs, context.json())
    if (clash !== undefined) return context.finish(E.left(clash))
    const result = await runWith(
      context.io,
      options,
      commandLine(command, []),
      async (asked, surroundings) => outputOf(job, await runProcess(job, asked, surroundings), asked.tally),
      job.supplier,
    )
    context.finish(result)
  })
}
