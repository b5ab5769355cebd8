import { numberText } from '@account-import/account-files'
import { E, type Either } from '@account-import/core/fp'
import type { AnswerOf } from '@account-import/http-contract'
import { setTimeout } from 'node:timers/promises'
import {
  type CliContext,
  type CliIo,
  type CommandError,
  type CommandOutput,
  type CommandResult,
  exampleService,
  exitCode,
  leafCommand,
} from '../kit/command.js'
import { apiCommand, bodyOf, type Connected, serviceError } from '../kit/connection.js'
import { stoppable } from '../kit/file-run.js'
import { properties } from '../kit/output.js'
import { table } from '../kit/tables.js'
import { runText } from './run.js'

type Stoppable = Readonly<{ signal?: AbortSignal }>
type AccountImportSummary = AnswerOf<'accountImportSummary'>

const watchMilliseconds = 2000

/** A settled import counts as ended after this time without a change. */
const settledMilliseconds = 8000

/** The longest time without a response of the service, as for the import. */
const patienceMilliseconds = 90_000

const textOf = ({ errors, failed, ...states }: AccountImportSummary): string => {
  const counts = properties({
    total: numberText(states.total),
    staged: `${numberText(states.staged)}${failed === 0 ? '' : ` (${numberText(failed)} failed at their last attempt)`}`,
    'in progress': numberText(states.in_progress),
    created: numberText(states.created),
    skipped: numberText(states.skipped),
  })
  const codes = errors.map(({ code, count }) => [code, numberText(count)])
  return codes.length === 0 ? counts : `${counts}\n\n${table(['LAST ERROR', 'ACCOUNTS'], codes)}`
}

const lineOf = ({ staged, in_progress, created, skipped, failed }: AccountImportSummary): string =>
  `${new Date().toISOString().slice(11, 19)}  staged ${numberText(staged)}, in progress ${numberText(in_progress)}, ` +
  `created ${numberText(created)}, skipped ${numberText(skipped)}, failed ${numberText(failed)}`

/** The result of a stopped command: the latest summary, or an error before the first one. */
const stopped = (output: CommandOutput | undefined, code: 130 | 143): CommandResult =>
  output === undefined
    ? E.left({ exitCode: code, code: 'interrupted', detail: 'Stopped before the service responded.' })
    : E.right({ ...output, exitCode: code })

/** The latest import run of the supplier: only runs count the accounts that were refused at staging. */
const latestRun = async (
  { client, names }: Connected,
  supplier: string,
  options: Stoppable,
): Promise<Either<CommandError, AnswerOf<'importRun'> | undefined>> => {
  for await (const page of client.importRunPages({ importSupplier: supplier, limit: 1 }, options)) {
    const [latest] = page.ok ? page.body : []
    if (!page.ok) return E.left(serviceError(page, names))
    return latest === undefined
      ? E.right(undefined)
      : bodyOf(await client.importRun(latest.id, options), names)
  }
  return E.right(undefined)
}

type Status = Readonly<{ summary: AccountImportSummary; output: CommandOutput }>

const statusOf = async (
  connected: Connected,
  supplier: string,
  options: Stoppable = {},
): Promise<Either<CommandError, Status>> => {
  const { client, names } = connected
  const [answer, run] = await Promise.all([
    client.accountImportSummary(supplier, options),
    latestRun(connected, supplier, options),
  ])
  const found = bodyOf(answer, { ...names, supplier })
  if (E.isLeft(found)) return found
  const summary = found.right
  if (E.isLeft(run)) return run
  const texts = [textOf(summary), ...(run.right === undefined ? [] : [runText(run.right)])]
  const output = { json: { ...summary, latest_run: run.right ?? null }, result: texts.join('\n\n') }
  return E.right({ summary, output })
}

/** Whether no account is in progress and all staged ones failed. Without any account an import is about to begin. */
const isSettled = ({ total, staged, failed, in_progress }: AccountImportSummary): boolean =>
  total > 0 && staged === failed && in_progress === 0

/**
 * Prints a line after each change, until the import has settled or a signal comes. A running import looks settled for a moment
 * after each of its batches, and waits for a service that does not respond for a while; so does this command.
 */
const watch = (connected: Connected, supplier: string, io: CliIo): Promise<CommandResult> =>
  stoppable(async (stop, stopCode) => {
    let last: { output: CommandOutput; state: string; since: number } | undefined
    let respondedAt: number | undefined
    for (;;) {
      const status = await statusOf(connected, supplier, { signal: stop })
      const now = performance.now()
      if (E.isRight(status)) {
        respondedAt = now
        const { summary, output } = status.right
        const state = JSON.stringify(summary)
        if (state !== last?.state) io.err(`${lineOf(summary)}\n`)
        last = { output, state, since: state === last?.state ? last.since : now }
        if (isSettled(summary) && now - last.since >= settledMilliseconds) return E.right(output)
      } else if (!stop.aborted) {
        // Waits only for a service that has responded before: an address that never did is most likely wrong.
        const isAway = respondedAt !== undefined && now - respondedAt <= patienceMilliseconds
        if (status.left.exitCode !== exitCode.environment || !isAway) return status
      }
      if (stop.aborted) return stopped(last?.output, stopCode())
      await setTimeout(watchMilliseconds, undefined, { signal: stop }).catch(() => undefined)
    }
  })

/** `status SUPPLIER --url U [--watch]` */
export const make = (context: CliContext) =>
  apiCommand(
    context,
    leafCommand('status')
      .example(`status LEVANTE ${exampleService} --watch`)
      .argument('<supplier>', 'import supplier code')
      .option('--watch', 'show each change until all accounts are processed'),
    (connected, supplier: string, options: Readonly<{ watch?: true }>) =>
      options.watch === true
        ? watch(connected, supplier, context.io)
        : statusOf(connected, supplier).then(E.map(({ output }) => output)),
  )
