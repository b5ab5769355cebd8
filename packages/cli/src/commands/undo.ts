import { numberText, UndoTotals } from '@account-import/account-files'
import type { UndoAccountsRequest } from '@account-import/core'
import { E, type Either } from '@account-import/core/fp'
import type { AnswerOf } from '@account-import/http-contract'
import type { Command } from 'commander'
import { createHash } from 'node:crypto'
import {
  type CliContext,
  type CliIo,
  type CommandError,
  exampleService,
  exitCode,
  type ExitCode,
  leafCommand,
  refused,
} from '../kit/command.js'
import { apiCommand, bodyOf, type Connected, readText } from '../kit/connection.js'
import { InputFile } from '../kit/files.js'
import { listPrinter } from '../kit/output.js'
import { table } from '../kit/tables.js'

type UndoneAccountsBody = AnswerOf<'undoAccounts'>

const about = `Undo created accounts: each is removed with its items, its e-mail and its idempotency records, and may be
imported again under a new platform account number. Without --confirm the command shows what it would remove and what it would
keep, changes nothing, and exits with 2. The API key needs the scope undo. Accounts to which something was added are kept unless
--with-additions is given. Repeat an interrupted run from the preview on.`

export type UndoOptions = Readonly<{ withAdditions?: true; confirm?: string }>

type Options = UndoOptions & Readonly<{ numbers?: string }>

/** The maximum of account numbers in one request. */
const pageSize = 1000

const confirmableMilliseconds = 15 * 60 * 1000

const numbersOf = async (
  io: CliIo,
  named: readonly string[],
  file: string | undefined,
): Promise<Either<CommandError, readonly string[]>> => {
  const content = file === undefined ? E.right('') : await readText(io, file, 'input_unreadable')
  const linesOf = (text: string): readonly string[] => text.split(/\r?\n/).filter((line) => line !== '')
  return E.map((text: string) => [...new Set([...named, ...linesOf(text)])])(content)
}

/** The numbers of the accounts, a page at a time. Each call begins again. */
type NumberPages = () => AsyncIterable<Either<CommandError, readonly string[]>>

/** The accounts to undo. No more than one page of them is held in memory. */
type Undo = Readonly<{ connected: Connected; supplier: string; numbers: NumberPages; options: UndoOptions }>

async function* inPages(numbers: readonly string[]) {
  for (let at = 0; at < numbers.length; at += pageSize) yield E.right(numbers.slice(at, at + pageSize))
}

type Page = Readonly<{
  request: Omit<UndoAccountsRequest, 'confirmation_code'>
  preview: AnswerOf<'previewUndo'>
  hash: string
}>

/** A preview of each page. A failure is the last result. */
async function* previewed({
  connected: { client, names },
  supplier,
  numbers,
  options,
}: Undo): AsyncGenerator<Either<CommandError, Page>> {
  for await (const page of numbers()) {
    if (E.isLeft(page)) {
      yield page
      return
    }
    const request = {
      import_supplier_code: supplier,
      external_account_numbers: page.right,
      with_additions: options.withAdditions === true,
    }
    const preview = bodyOf(await client.previewUndo(request), { ...names, supplier })
    if (E.isLeft(preview)) {
      yield preview
      return
    }
    yield E.right({ request, preview: preview.right, hash: hashOf(preview.right) })
  }
}

const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16)

/** A hash of the content of a preview, without its code. */
const hashOf = ({ accounts, kept }: UndoneAccountsBody): string => digestOf([accounts, kept])

/** The confirmation code of all pages: the time of the preview, and a hash of its content. */
const codeOf = ({ options }: Undo, hashes: readonly string[], madeAt: number): string =>
  `${madeAt.toString(36)}-${digestOf([madeAt, options.withAdditions === true, hashes])}`

const isConfirmed = (job: Undo, hashes: readonly string[], code: string): boolean => {
  const madeAt = Number.parseInt(code, 36)
  const age = Date.now() - madeAt
  return age >= 0 && age <= confirmableMilliseconds && code === codeOf(job, hashes, madeAt)
}

/** The accounts of all pages; with `--json` prints each page when it arrives. The text names the first kept accounts, JSON all. */
class Found extends UndoTotals {
  private readonly keptTexts: string[] = []
  private readonly context: CliContext
  private readonly printer

  constructor(context: CliContext, supplier: string, name: 'would_remove' | 'removed') {
    super()
    this.context = context
    this.printer = listPrinter<UndoneAccountsBody['accounts'][number]>(context.io, {
      head: `{"import_supplier":${JSON.stringify(supplier)},"${name}":[`,
      between: ',',
      item: (account) => JSON.stringify(account),
    })
  }

  async addPage({ accounts, kept }: UndoneAccountsBody): Promise<void> {
    this.add(
      accounts,
      kept.map(({ external_account_number: number, reason }) => ({ number, reason })),
    )
    if (!this.context.json()) return
    if (kept.length > 0) this.keptTexts.push(JSON.stringify(kept).slice(1, -1))
    await this.printer.add(accounts)
  }

  /** Ends with an error, which is text if a part of a JSON document is printed already. */
  fail(error: CommandError): void {
    this.context.finish(E.left(error), this.printer.count() === 0 ? undefined : 'asText')
  }

  /** `more`: further values of the JSON document. */
  end(message: string, code: ExitCode, more: object): void {
    const { context, keptTexts, printer } = this
    if (!context.json()) return context.finish(E.right({ json: undefined, message, exitCode: code }))
    const rest = Object.keys(more).length === 0 ? '}' : `,${JSON.stringify(more).slice(1)}`
    printer.end(`],"kept":[${keptTexts.join(',')}]${rest}\n`)
    context.end(code)
  }

  additionsText(): string {
    return this.withAdditions === 0 ? '' : `, ${numberText(this.withAdditions)} of them with additions`
  }

  keptText(): string {
    const { keptCount: kept, named } = this
    if (kept === 0) return ''
    const more = kept > named.length ? `\nand ${numberText(kept - named.length)} more` : ''
    const rows = named.map(({ number, reason }) => [number, reason])
    return `\nKept: ${numberText(kept)}\n${table(['ACCOUNT', 'REASON'], rows)}${more}`
  }
}

const previewAll = async (context: CliContext, job: Undo): Promise<void> => {
  const found = new Found(context, job.supplier, 'would_remove')
  const hashes: string[] = []
  for await (const page of previewed(job)) {
    if (E.isLeft(page)) return found.fail(page.left)
    hashes.push(page.right.hash)
    await found.addPage(page.right.preview)
  }
  const code = codeOf(job, hashes, Date.now())
  const detail =
    found.accounts === 0
      ? 'Nothing was changed: there is no account to undo.'
      : `Nothing was changed. To undo ${found.accounts === 1 ? 'the account' : 'the accounts'}, run the same command with --confirm ${code} within 15 minutes.`
  found.end(
    `Accounts that would be undone: ${numberText(found.accounts)}${found.additionsText()}.${found.keptText()}\n${detail}`,
    exitCode.refused,
    { confirmation_code: code, error: { code: 'confirmation_needed', detail } },
  )
}

const notConfirmed = refused(
  'undo_not_confirmed',
  'The code is not that of a preview of the last 15 minutes, or something changed since. Run the command without --confirm again.',
)

/** Undoes each page after a second preview: the code of the service expires after 15 minutes, and many pages may take longer. */
const undoAll = async (context: CliContext, job: Undo, code: string): Promise<void> => {
  const found = new Found(context, job.supplier, 'removed')
  const hashes: string[] = []
  let shown = 0
  for await (const page of previewed(job)) {
    if (E.isLeft(page)) return found.fail(page.left)
    hashes.push(page.right.hash)
    shown += page.right.preview.accounts.length
  }
  if (!isConfirmed(job, hashes, code)) return found.fail(notConfirmed)
  const { client, names } = job.connected
  const fail = ({ detail, ...error }: CommandError): void =>
    found.fail({
      ...error,
      detail: `${detail} Accounts undone before: ${numberText(found.accounts)}. Begin again with a new preview.`,
    })
  for await (const page of previewed(job)) {
    if (E.isLeft(page)) return fail(page.left)
    const { request, preview, hash } = page.right
    if (hash !== hashes.shift()) return fail(notConfirmed)
    const { confirmation_code } = preview
    const undone = bodyOf(await client.undoAccounts({ ...request, confirmation_code }), {
      ...names,
      supplier: job.supplier,
    })
    if (E.isLeft(undone)) return fail(undone.left)
    await found.addPage(undone.right)
  }
  // Fewer undone accounts than in the preview are failures.
  const ending = found.accounts === shown ? exitCode.done : exitCode.dataHasFailures
  found.end(`Accounts undone: ${numberText(found.accounts)}.${found.keptText()}`, ending, {})
}

/** Previews the accounts, or undoes them if a code confirms it. */
export const undoAccounts = (context: CliContext, job: Undo): Promise<void> => {
  const { confirm } = job.options
  return confirm === undefined ? previewAll(context, job) : undoAll(context, job, confirm)
}

/** Adds the options of a command that undoes accounts. */
export const withUndo = (command: Command): Command =>
  command
    .option('--with-additions', 'undo accounts with later additions, too')
    .option('--confirm <code>', 'undo exactly the accounts of the preview with this code')

/** `undo SUPPLIER [EXTERNAL_NUMBER...] --url U [--numbers FILE] [--with-additions] [--confirm CODE]` */
export const make = (context: CliContext): Command =>
  apiCommand(
    context,
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
    ),
    async (connected, supplier: string, named: readonly string[], options: Options) => {
      const numbers = await numbersOf(context.io, named, options.numbers)
      if (E.isLeft(numbers)) return numbers
      if (numbers.right.length === 0)
        return E.left(refused('usage', 'Name at least one account, or a file with --numbers.'))
      await undoAccounts(context, { connected, supplier, numbers: () => inPages(numbers.right), options })
      return undefined
    },
  )
