import type { DocumentsChecked, MissingDocument, PortFailure } from '@account-import/core'
import { E } from '@account-import/core/adapter-kit'
import { type Command, Option } from 'commander'
import { oneCell } from '../../printable.js'
import {
  type CliContext,
  type CliIo,
  type CommandError,
  errorJson,
  exitCode,
  type ExitCode,
  leafCommand,
} from '../command.js'
import { failureOf, portFailureOf, withService } from '../operate.js'
import { type ListFormat, listPrinter } from '../output.js'

/** The totals at the end: `references` are the paths of all accounts, each account's once. */
type Totals = Readonly<{ accounts: number; references: number; missing: number }>

type Format = ListFormat<MissingDocument> & Readonly<{ tail(totals: Totals, failure?: CommandError): string }>

/** For people, and for tools that cut lines: external account number, a tab, the path. */
const lines: Format = {
  head: '',
  between: '',
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
const ndjson: Format = { ...lines, item: (missing) => `${itemJson(missing)}\n` }

/** One JSON document, the items of its list one a line. */
const document: Format = {
  head: '{"missing":[',
  between: ',',
  item: (missing) => `\n${itemJson(missing)}`,
  tail: ({ accounts, references }, failure) => {
    const rest = { accounts, references, ...(failure && { error: errorJson(failure) }) }
    return `\n],${JSON.stringify(rest).slice(1)}\n`
  },
}

const counted = (count: number, name: string): string => `${count} ${name}${count === 1 ? '' : 's'}`

/** The outcome in words. */
const summary = ({ accounts, references, missing }: Totals): string =>
  missing === 0
    ? `None of ${counted(references, 'document')} of ${counted(accounts, 'account')} is missing.`
    : `${missing} of ${counted(references, 'document')} of ${counted(accounts, 'account')} missing.`

const isPortFailure = (thrown: unknown): thrown is PortFailure =>
  typeof thrown === 'object' && thrown !== null && '_tag' in thrown && thrown._tag === 'PortFailure'

/**
 * Prints missing documents as they are found, and in the end the totals to stderr; answers the exit code. A port that
 * fails on the way ends the output with what was found until then. Stops when nobody reads the output any more.
 */
const print = async (
  io: CliIo,
  { tail, ...format }: Format,
  pages: AsyncIterable<DocumentsChecked>,
): Promise<ExitCode> => {
  const printer = listPrinter(io, format)
  const totals = { accounts: 0, references: 0, missing: 0 }
  try {
    for await (const { accounts, references, missing } of pages) {
      totals.accounts += accounts
      totals.references += references
      totals.missing += missing.length
      if (!(await printer.add(missing))) return exitCode.environment
    }
  } catch (thrown) {
    if (!isPortFailure(thrown)) throw thrown
    const failure = portFailureOf(thrown)
    printer.end(tail(totals, failure))
    io.err(`${failure.detail} Until then: ${summary(totals)}\n`)
    return failure.exitCode
  }
  printer.end(tail(totals))
  io.err(`${summary(totals)}\n`)
  return totals.missing > 0 ? exitCode.dataHasFailures : exitCode.done
}

type Options = Readonly<{ ndjson?: true }>

const about = `List the documents that staged and created accounts name and that are not in the storage.
Prints the external account number, a tab and the path, in order, while it looks; exits with 1 when some are missing.`

const missing = (context: CliContext): Command =>
  leafCommand('missing', about)
    .summary('List the documents that accounts name and that are not in the storage.')
    .argument('<supplier>', 'import supplier code')
    .addOption(new Option('--ndjson', 'print one JSON object a line').conflicts('json'))
    .action((importSupplier: string, options: Options) =>
      withService(context, async ({ useCases: { operator } }) => {
        const format = context.json() ? document : options.ndjson === true ? ndjson : lines
        const begun = await operator.missingDocuments(importSupplier)()
        if (begun._tag === 'Left') context.finish(E.left(failureOf(begun.left)))
        else context.end(await print(context.io, format, begun.right))
      }),
    )

/** `documents missing SUPPLIER [--ndjson]` */
export const make = (context: CliContext): readonly Command[] => [missing(context)]
