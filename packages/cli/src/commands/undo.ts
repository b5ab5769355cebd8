import { numberText } from '@account-import/account-files'
import { E, type Either } from '@account-import/core/fp'
import type { AnswerOf } from '@account-import/http-contract'
import type { Command } from 'commander'
import { createHash } from 'node:crypto'
import {
  type CliContext,
  type CliIo,
  type CommandError,
  type CommandOutput,
  type CommandResult,
  exampleService,
  exitCode,
  leafCommand,
  refused,
} from '../kit/command.js'
import {
  bodyOf,
  type Connected,
  type ConnectionOptions,
  readText,
  throughApi,
  withConnection,
} from '../kit/connection.js'
import { InputFile } from '../kit/files.js'
import { table } from '../kit/tables.js'

type UndoneAccountsBody = AnswerOf<'undoAccounts'>

const about = `Undo created accounts: each is removed with its items, its e-mail and its idempotency records, and may be
imported again under a new platform account number. Without --confirm the command shows what it would remove and what it would
keep, changes nothing, and exits with 2. The API key needs the scope undo. Accounts to which something was added are kept unless
--with-additions is given. Repeat an interrupted run from the preview on.`

export type UndoOptions = ConnectionOptions & Readonly<{ withAdditions?: true; confirm?: string }>

type Options = UndoOptions & Readonly<{ numbers?: string }>

/** The maximum of account numbers in one request. */
const pageSize = 1000

const confirmableMilliseconds = 15 * 60 * 1000

/** The most kept accounts in the text; `--json` has all. */
const mostNamed = 20

const numbersOf = async (
  io: CliIo,
  named: readonly string[],
  file: string | undefined,
): Promise<Either<CommandError, readonly string[]>> => {
  const content = file === undefined ? E.right('') : await readText(io, file, 'input_unreadable')
  const linesOf = (text: string): readonly string[] => text.split(/\r?\n/).filter((line) => line !== '')
  return E.map((text: string) => [...new Set([...named, ...linesOf(text)])])(content)
}

type Request = Readonly<{
  import_supplier_code: string
  external_account_numbers: readonly string[]
  with_additions: boolean
}>

type Page = Readonly<{ request: Request; preview: AnswerOf<'previewUndo'> }>

const requestsOf = (supplier: string, numbers: readonly string[], withAdditions: boolean) =>
  Array.from({ length: Math.ceil(numbers.length / pageSize) }, (_, page): Request => ({
    import_supplier_code: supplier,
    external_account_numbers: numbers.slice(page * pageSize, (page + 1) * pageSize),
    with_additions: withAdditions,
  }))

const previewAll = async (
  { client, names }: Connected,
  supplier: string,
  requests: readonly Request[],
): Promise<Either<CommandError, readonly Page[]>> => {
  const pages: Page[] = []
  for (const request of requests) {
    const preview = bodyOf(await client.previewUndo(request), { ...names, supplier })
    if (E.isLeft(preview)) return preview
    pages.push({ request, preview: preview.right })
  }
  return E.right(pages)
}

const joined = (bodies: readonly UndoneAccountsBody[]): UndoneAccountsBody => ({
  accounts: bodies.flatMap(({ accounts }) => accounts),
  kept: bodies.flatMap(({ kept }) => kept),
})

/** The confirmation code of all pages: the time of the preview, and a hash of its content. */
const codeOf = (pages: readonly Page[], madeAt: number): string => {
  const { accounts, kept } = joined(pages.map(({ preview }) => preview))
  const withAdditions = pages[0]?.request.with_additions
  const shown = JSON.stringify([madeAt, withAdditions, accounts, kept])
  return `${madeAt.toString(36)}-${createHash('sha256').update(shown).digest('hex').slice(0, 16)}`
}

const isConfirmed = (pages: readonly Page[], code: string): boolean => {
  const madeAt = Number.parseInt(code, 36)
  const age = Date.now() - madeAt
  return age >= 0 && age <= confirmableMilliseconds && code === codeOf(pages, madeAt)
}

const keptText = ({ kept }: UndoneAccountsBody): string => {
  if (kept.length === 0) return ''
  const rows = kept
    .slice(0, mostNamed)
    .map(({ external_account_number: number, reason }) => [number, reason] as const)
  const more = kept.length > mostNamed ? `\nand ${numberText(kept.length - mostNamed)} more` : ''
  return `\nKept: ${numberText(kept.length)}\n${table(['ACCOUNT', 'REASON'], rows)}${more}`
}

const withAdditionsText = ({ accounts }: UndoneAccountsBody): string => {
  const count = accounts.filter(({ additions }) => additions > 0).length
  return count === 0 ? '' : `, ${numberText(count)} of them with additions`
}

const previewOutput = (supplier: string, pages: readonly Page[]): CommandOutput => {
  const found = joined(pages.map(({ preview }) => preview))
  const code = codeOf(pages, Date.now())
  const removable = found.accounts.length
  const detail =
    removable === 0
      ? 'Nothing was changed: there is no account to undo.'
      : `Nothing was changed. To undo ${removable === 1 ? 'the account' : 'the accounts'}, run the same command with --confirm ${code} within 15 minutes.`
  return {
    json: {
      import_supplier: supplier,
      would_remove: found.accounts,
      kept: found.kept,
      confirmation_code: code,
      error: { code: 'confirmation_needed', detail },
    },
    message: `Accounts that would be undone: ${numberText(removable)}${withAdditionsText(found)}.${keptText(found)}\n${detail}`,
    exitCode: exitCode.refused,
  }
}

/** `shown`: the number of accounts in the preview. Fewer undone accounts end with exit code 1. */
const undoneOutput = (supplier: string, undone: UndoneAccountsBody, shown: number): CommandOutput => ({
  json: { import_supplier: supplier, removed: undone.accounts, kept: undone.kept },
  message: `Accounts undone: ${numberText(undone.accounts.length)}.${keptText(undone)}`,
  exitCode: undone.accounts.length === shown ? exitCode.done : exitCode.dataHasFailures,
})

/** The content of a preview, without its code. */
const shownBy = ({ accounts, kept }: UndoneAccountsBody): string => JSON.stringify([accounts, kept])

const notConfirmed =
  'The code is not that of a preview of the last 15 minutes, or something changed since. Run the command without --confirm again.'

/** Undoes a page after a second preview: the code of the service expires after 15 minutes, and many pages may take longer. */
const undoPage = async (
  { client, names }: Connected,
  { request, preview }: Page,
): Promise<Either<CommandError, UndoneAccountsBody>> => {
  const named = { ...names, supplier: request.import_supplier_code }
  const again = bodyOf(await client.previewUndo(request), named)
  if (E.isLeft(again)) return again
  const { confirmation_code } = again.right
  return shownBy(again.right) === shownBy(preview)
    ? bodyOf(await client.undoAccounts({ ...request, confirmation_code }), named)
    : E.left(refused('undo_not_confirmed', notConfirmed))
}

const undoPages = async (
  connected: Connected,
  supplier: string,
  pages: readonly Page[],
): Promise<CommandResult> => {
  const undone: UndoneAccountsBody[] = []
  for (const page of pages) {
    const answer = await undoPage(connected, page)
    if (E.isLeft(answer)) {
      const done = numberText(joined(undone).accounts.length)
      const detail = `${answer.left.detail} Accounts undone before: ${done}. Begin again with a new preview.`
      return E.left({ ...answer.left, detail })
    }
    undone.push(answer.right)
  }
  const shown = joined(pages.map(({ preview }) => preview)).accounts.length
  return E.right(undoneOutput(supplier, joined(undone), shown))
}

/** Previews the accounts, or undoes them if a code confirms it. */
export const undoAccounts = async (
  connected: Connected,
  supplier: string,
  numbers: readonly string[],
  { withAdditions, confirm }: UndoOptions,
): Promise<CommandResult> => {
  const found = await previewAll(connected, supplier, requestsOf(supplier, numbers, withAdditions === true))
  if (E.isLeft(found)) return found
  const pages = found.right
  if (confirm === undefined) return E.right(previewOutput(supplier, pages))
  if (!isConfirmed(pages, confirm)) return E.left(refused('undo_not_confirmed', notConfirmed))
  return undoPages(connected, supplier, pages)
}

/** Adds the options of a command that undoes accounts. */
export const withUndo = (command: Command): Command =>
  withConnection(
    command
      .option('--with-additions', 'undo accounts with later additions, too')
      .option('--confirm <code>', 'undo exactly the accounts of the preview with this code'),
  )

/** `undo SUPPLIER [EXTERNAL_NUMBER...] --url U [--numbers FILE] [--with-additions] [--confirm CODE]` */
export const make = (context: CliContext): Command =>
  withUndo(
    leafCommand('undo', about)
      .example(
        `undo LEVANTE LEV-G-000123 ${exampleService}`,
        `undo LEVANTE --numbers wrong.txt ${exampleService} --confirm m93k1x2c-5f1c0b7a9e3d4c6b`,
      )
      .argument('<supplier>', 'import supplier code')
      .argument('[external-number...]', "the supplier's own account numbers")
      .addOption(
        new InputFile('--numbers <file>', 'file with an account number a line; - for the standard input'),
      ),
  ).action(async (supplier: string, named: readonly string[], options: Options) => {
    const { io, finish } = context
    const numbers = await numbersOf(io, named, options.numbers)
    if (E.isLeft(numbers)) return finish(numbers)
    if (numbers.right.length === 0)
      return finish(E.left(refused('usage', 'Name at least one account, or a file with --numbers.')))
    await throughApi(context, options, (connected) =>
      undoAccounts(connected, supplier, numbers.right, options),
    )
  })
