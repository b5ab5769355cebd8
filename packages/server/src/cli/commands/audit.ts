import { Readable } from 'node:stream'
import { counted } from '@account-import/account-files'
import type { ChainBreak, ChainChecked, ChainHead, Instant, ListedEvent } from '@account-import/core'
import { isPortFailure, mapped } from '@account-import/core/adapter-kit'
import { E, type Either } from '@account-import/core/fp'
import {
  type CliIo,
  columns,
  type CommandError,
  exitCode,
  InputFile,
  instantArgument,
  leafCommand,
  printFindings,
  refused,
  type Shown,
  fileText,
  typed,
} from '@account-import/cli/kit'
import { failureOf, operatorCommands, refusing } from '../operate.js'

/** The text in place of the organisation for entries without one. */
const noneText = '-'

const organisationText = (organisation: string): string => (organisation === '' ? noneText : organisation)

const headText = ({ organisation, block, hash }: ChainHead): string =>
  `${organisationText(organisation)} ${block} ${hash}`

const breakText = ({ kind, organisation, block, about }: ChainBreak): string =>
  [
    `${kind} ${organisationText(organisation)} ${block}`,
    ...(about === undefined ? [] : [about]),
    ...(kind === 'key_missing' ? ['(the first block of a key that AUDIT_KEY does not have)'] : []),
  ].join(' ')

const json = ({ id, entry, block }: ListedEvent): unknown => ({
  organisation: entry.organisation,
  block: block ?? null,
  id,
  at: entry.at,
  what: entry.what,
  who: entry.by.who,
  request_id: entry.by.requestId ?? null,
  import_supplier: entry.importSupplier ?? null,
  external_account_number: entry.externalAccountNumber ?? null,
  subject: entry.subject ?? null,
  before: entry.before ?? null,
  after: entry.after ?? null,
})

/** The first characters of a hash, which differ between neighbours; the JSON has the whole hash. */
const short = (hash: string | undefined): string => hash?.slice(0, 8) ?? ''

/** The form of audit events in lists; an event that is not sealed yet has `unsealed` in place of its block. */
const entryShown: Shown<ListedEvent> = {
  json,
  ...columns<ListedEvent>([
    ['ORGANISATION', 12, ({ entry }) => organisationText(entry.organisation)],
    ['BLOCK', 8, ({ block }) => (block === undefined ? 'unsealed' : String(block))],
    ['AT', 24, ({ entry }) => entry.at],
    ['WHAT', 18, ({ entry }) => entry.what],
    ['WHO', 28, ({ entry }) => entry.by.who],
    ['SUPPLIER', 12, ({ entry }) => entry.importSupplier ?? ''],
    ['ACCOUNT', 18, ({ entry }) => entry.externalAccountNumber ?? ''],
    ['BEFORE', 8, ({ entry }) => short(entry.before)],
    ['AFTER', 8, ({ entry }) => short(entry.after)],
    ['SUBJECT', 0, ({ entry }) => entry.subject ?? ''],
  ]),
  none: 'No audit event matches.',
}

/** A line of `audit head`: `headText`. */
const headForm = /^(.+) (\d+) ([0-9a-f]{64}|[\w-]{16}:[\w-]{43})$/

const headIn = (line: string): ChainHead | undefined => {
  const [, organisation = '', block, hash] = headForm.exec(line.trim()) ?? []
  if (hash === undefined) return undefined
  return { organisation: organisation === noneText ? '' : organisation, block: Number(block), hash }
}

/** Ends of chains in a file, as `audit head` printed them. */
const headsOf = async (file: string): Promise<Either<CommandError, readonly ChainHead[]>> => {
  let text: string
  try {
    text = await fileText(file, Readable.from([]))
  } catch {
    return E.left(refused('usage', `--head is no file that can be read: ${file}`))
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const heads = lines.flatMap((line) => headIn(line) ?? [])
  return heads.length === lines.length && heads.length > 0
    ? E.right(heads)
    : E.left(refused('usage', `${file} is not an output of ${typed('audit head')} without --json.`))
}

/** Prints the breaks of chains as soon as they are found. */
const print = (io: CliIo, form: 'lines' | 'document', checks: AsyncIterable<ChainChecked>) => {
  const totals = { events: 0 }
  return printFindings<ChainBreak>(
    io,
    {
      form,
      name: 'breaks',
      text: breakText,
      json: (found) => found,
      totals,
      summary: (count) =>
        count === 0
          ? `${counted(totals.events, 'event')} as sealed.`
          : `${counted(count, 'break')} in ${counted(totals.events, 'event')}.`,
      failureOf: (thrown) => {
        if (!isPortFailure(thrown)) throw thrown
        return failureOf(thrown)
      },
    },
    mapped(checks, ({ events, breaks }) => {
      totals.events += events
      return breaks
    }),
  )
}

type ListOptions = Readonly<{
  organisation?: string
  supplier?: string
  account?: string
  since?: Instant
  until?: Instant
}>

type VerifyOptions = Readonly<{ organisation?: string; head?: string }>

/** `audit list | verify | head` */
export const make = operatorCommands(({ command, list, printing }, context) => [
  list(
    refusing<ListOptions>(
      leafCommand('list', 'Show audit events: sealed ones by their blocks, then unsealed ones.')
        .example(
          'audit list --supplier LEVANTE --account LEV-G-000123',
          'audit list --since 2025-09-01 --json',
        )
        .option('--organisation <code>', 'only events of this organisation')
        .option('--supplier <code>', 'only events of this import supplier')
        .option('--account <external-number>', 'with --supplier: only events of this account')
        .option(
          '--since <instant>',
          'only events at or after this instant, as 2025-09-01T10:00:00Z',
          instantArgument,
        )
        .option('--until <instant>', 'only events before this instant', instantArgument),
      ({ account, supplier }) =>
        account !== undefined && supplier === undefined ? '--account needs --supplier' : undefined,
    ),
    ({ audit }, { organisation, supplier, account, since, until }: ListOptions) =>
      audit.list({
        organisation,
        importSupplier: supplier,
        externalAccountNumber: account,
        from: since,
        until,
      }),
    () => entryShown,
  ),
  printing(
    leafCommand(
      'verify',
      'Compute the hashes of all blocks of audit events again, to find changed and missing events.',
    )
      .example('audit verify', 'audit verify --head heads.txt')
      .option('--organisation <code>', 'only the chain of this organisation')
      .addOption(
        new InputFile('--head <file>', 'an earlier output of `audit head`: finds chains that were cut'),
      ),
    async ({ audit }, { organisation, head }: VerifyOptions) => {
      const heads = head === undefined ? E.right([]) : await headsOf(head)
      if (E.isLeft(heads)) return context.finish(heads)
      const chains = await audit.verify({ organisation, heads: heads.right })
      if (E.isLeft(chains)) return context.finish(E.left(failureOf(chains.left)))
      const code = await print(context.io, context.json() ? 'document' : 'lines', chains.right)
      context.end(code ?? exitCode.done)
    },
  ),
  command(
    leafCommand(
      'head',
      'Print the end of each chain: organisation, block, hash. Store it outside of the database.',
    ).example('audit head', 'audit head > heads.txt'),
    ({ audit }) => audit.heads(),
    (heads) => ({
      json: heads,
      result: heads.map(headText).join('\n'),
    }),
  ),
])
