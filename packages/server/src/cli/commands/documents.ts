import type { DocumentsChecked, MissingDocument, PortFailure } from '@account-import/core'
import { E } from '@account-import/core/adapter-kit'
import { Command, Option } from 'commander'
import { oneCell } from '../../printable.js'
import type { CliContext, CliIo, JsonOption } from '../cli-io.js'
import { type CommandError, exitCode, type ExitCode } from '../command-result.js'
import { configured } from '../configured.js'
import { portFailureOf } from '../environment-failure.js'
import { leafCommand } from '../leaf-command.js'
import { failureOf } from '../operate.js'

/** The totals at the end: `references` are the paths of all accounts, each account's once. */
export type MissingTotals = Readonly<{ accounts: number; references: number; missing: number }>

/** How missing documents are printed, one after the other, so that any number of them takes no memory. */
export type MissingFormat = Readonly<{
  head: string
  item(missing: MissingDocument, isFirst: boolean): string
  tail(totals: MissingTotals, failure?: CommandError): string
}>

/** For people, and for tools that cut lines: external account number, a tab, the path. */
const lines: MissingFormat = {
  head: '',
  item: ({ externalAccountNumber, path }) => `${oneCell(externalAccountNumber)}\t${oneCell(path)}\n`,
  tail: () => '',
}

const itemJson = ({ externalAccountNumber, platformAccountNumber, path }: MissingDocument): string =>
  JSON.stringify({
    external_account_number: externalAccountNumber,
    platform_account_number: platformAccountNumber ?? null,
    path,
  })

/** One JSON object a line. */
const ndjson: MissingFormat = { ...lines, item: (missing) => `${itemJson(missing)}\n` }

/** One JSON document, the items of its list one a line. */
const document: MissingFormat = {
  head: '{"missing":[',
  item: (missing, isFirst) => `${isFirst ? '' : ','}\n${itemJson(missing)}`,
  tail: ({ accounts, references }, failure) => {
    const rest = { accounts, references, ...(failure && { error: errorOf(failure) }) }
    return `\n],${JSON.stringify(rest).slice(1)}\n`
  },
}

const errorOf = ({ code, detail, errors = [] }: CommandError) => ({ code, detail, errors })

export const missingFormats = { lines, ndjson, document } as const

const counted = (count: number, name: string): string => `${count} ${name}${count === 1 ? '' : 's'}`

/** The outcome in words. */
export const missingSummary = ({ accounts, references, missing }: MissingTotals): string =>
  missing === 0
    ? `None of ${counted(references, 'document')} of ${counted(accounts, 'account')} is missing.`
    : `${missing} of ${counted(references, 'document')} of ${counted(accounts, 'account')} missing.`

const isPortFailure = (thrown: unknown): thrown is PortFailure =>
  typeof thrown === 'object' && thrown !== null && '_tag' in thrown && thrown._tag === 'PortFailure'

/**
 * Prints missing documents as they are found, and in the end the totals to stderr; answers the exit code. A port that
 * fails on the way ends the output with what was found until then. Stops when nobody reads the output any more.
 */
export const printMissing = async (
  io: CliIo,
  { head, item, tail }: MissingFormat,
  pages: AsyncIterable<DocumentsChecked>,
): Promise<ExitCode> => {
  let totals: MissingTotals = { accounts: 0, references: 0, missing: 0 }
  io.out(head)
  try {
    for await (const { accounts, references, missing } of pages) {
      io.out(missing.map((each, index) => item(each, totals.missing + index === 0)).join(''))
      totals = {
        accounts: totals.accounts + accounts,
        references: totals.references + references,
        missing: totals.missing + missing.length,
      }
      if ((await io.drained?.()) === false) return exitCode.environment
    }
  } catch (thrown) {
    if (!isPortFailure(thrown)) throw thrown
    const failure = portFailureOf(thrown)
    io.out(tail(totals, failure))
    io.err(`${failure.detail} Until then: ${missingSummary(totals)}\n`)
    return failure.exitCode
  }
  io.out(tail(totals))
  io.err(`${missingSummary(totals)}\n`)
  return totals.missing > 0 ? exitCode.dataHasFailures : exitCode.done
}

type Options = JsonOption & Readonly<{ ndjson?: true }>

const formatOf = ({ json, ndjson }: Options): MissingFormat => {
  if (json === true) return missingFormats.document
  return ndjson === true ? missingFormats.ndjson : missingFormats.lines
}

const run = async (
  { io, finish, end, operator }: CliContext,
  importSupplier: string,
  options: Options,
): Promise<void> => {
  const config = configured(io, 'operate')
  if (config._tag === 'Left') return finish(config, options)
  const { openService } = await import('../../service/open-service.js')
  const service = await openService(config.right, {
    onlyExisting: true,
    operator: { who: `operator ${operator()}` },
  })
  try {
    const begun = await service.useCases.operator.missingDocuments(importSupplier)()
    if (begun._tag === 'Left') finish(E.left(failureOf(begun.left)), options)
    else end(await printMissing(io, formatOf(options), begun.right))
  } finally {
    await service.close()
  }
}

const about = `List the documents that staged and created accounts name and that are not in the storage.
Prints the external account number, a tab and the path, in order, while it looks; exits with 1 when some are missing.`

const missing = (context: CliContext): Command =>
  leafCommand('missing', about)
    .summary('List the documents that accounts name and that are not in the storage.')
    .argument('<supplier>', 'import supplier code')
    .addOption(new Option('--ndjson', 'print one JSON object a line').conflicts('json'))
    .action((importSupplier: string, options: Options) => run(context, importSupplier, options))

/** `documents missing SUPPLIER [--ndjson]` */
export const documentsCommand = (context: CliContext): Command =>
  new Command('documents').description('Documents that accounts name.').addCommand(missing(context))
