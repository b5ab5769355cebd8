import { E } from '@account-import/core/adapter-kit'
import type { ImportJob } from '../../import/import-job.js'
import type { ProcessSurroundings } from '../../import/run-process.js'
import { runImport } from '../../import/run-import.js'
import type { ServiceSetup } from '../../import/service.js'
import { Tally } from '../../import/tally.js'
import { FileFailure } from '../../account-files/file-failure.js'
import type { CliContext, JsonOption } from '../cli-context.js'
import type { CliIo } from '../cli-io.js'
import type { CommandOutput, CommandResult } from '../command-result.js'
import { exitCode } from '../exit-code.js'
import { outputClash } from '../offline/output-clash.js'
import { stoppable } from '../offline/stoppable.js'
import { importOutput, stoppedOutput } from '../output/import-output.js'
import { printer } from '../offline/printer.js'
import { connect, type WorkOptions } from './connection.js'
import { liveView } from './live-view.js'
import { stoppedError } from './stopped.js'

type Work = (asked: ServiceSetup, surroundings: ProcessSurroundings) => Promise<CommandOutput>

/** Runs work that can be stopped, by a signal or by the service; `command` is what has to be typed to go on. */
export const runWith = async (
  io: CliIo,
  options: WorkOptions,
  command: string,
  work: Work,
  supplier?: string,
): Promise<CommandResult> => {
  const connected = await connect(io, options)
  if (E.isLeft(connected)) return connected
  const { client, names } = connected.right
  const tally = new Tally()
  return stoppable(async (stop, stopCode) => {
    try {
      const asked = { client, tally, stop, retrySeconds: options.retryFor }
      return E.right(await work(asked, { progress: liveView(io, tally), print: printer(io) }))
    } catch (cause) {
      if (!(cause instanceof FileFailure)) throw cause
      const error = stoppedError(cause, { ...names, ...(supplier !== undefined && { supplier }) }, stopCode)
      // A refusal would come again, and unreadable input stays unreadable.
      const isOver = error.exitCode === exitCode.refused || cause.kind === 'input_unreadable'
      return E.right(stoppedOutput(error, tally, isOver ? undefined : command))
    }
  })
}

/** Runs an import; `command` is what has to be typed to go on. */
export const importResult = async (
  { io }: CliContext,
  job: ImportJob,
  options: WorkOptions & JsonOption,
  command: string,
): Promise<CommandResult> => {
  if (job.file === '-' && options.apiKeyFile === '-')
    return E.left({
      exitCode: exitCode.refused,
      code: 'usage',
      detail: 'The standard input cannot be both the accounts and the API key.',
    })
  const clash = await outputClash(job.file === '-' ? [] : [job.file], job.outputs, options)
  if (clash !== undefined) return E.left(clash)
  const input = io.input ?? process.stdin
  return runWith(io, options, command, async (asked, surroundings) =>
    importOutput(job, await runImport(job, asked, { input, ...surroundings }), asked.tally),
  )
}
