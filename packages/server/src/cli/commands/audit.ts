import { Readable } from 'node:stream'
import type {
  AuditUseCases,
  ChainBreak,
  ChainHead,
  Instant,
  KnownHead,
  ListedEntry,
  PortFailure,
} from '@account-import/core'
import { textOf } from '../../account-files/input/source.js'
import { E, type Either, type TaskEither } from '@account-import/core/adapter-kit'
import { typed } from '../../program-name.js'
import { instantArgument } from '../arguments.js'
import { type CliContext, type CommandError, exitCode, leafCommand, refused } from '../command.js'
import { operate, operatorCommands, streamPages } from '../operate.js'
import { columns, type Shown } from '../output.js'

/** The text in place of the organisation for entries without one. */
const noneText = '-'

const headText = ({ organisation, sequence, hash }: ChainHead): string =>
  `${organisationText(organisation)} ${sequence} ${hash}`

const organisationText = (organisation: string | undefined): string =>
  organisation === undefined || organisation === '' ? noneText : organisation

const breakText = (found: ChainBreak): string => {
  const begin = `${found.kind} ${organisationText(found.organisation)}`
  switch (found.kind) {
    case 'entries_missing':
      return `${begin} ${found.sequence} (${found.entries} from there on)`
    case 'entry_changed':
      return `${begin} ${found.sequence}`
    case 'key_missing':
      return `${begin} ${found.sequence} ${found.key} (the first entry of a key that AUDIT_KEY does not have)`
    case 'head_missing':
      return `${begin} ${found.sequence ?? noneText} ${found.hash}`
  }
}

const json = ({ entry, sequence, hash }: ListedEntry): unknown => ({
  organisation: entry.organisation,
  sequence: sequence ?? null,
  at: entry.at,
  what: entry.what,
  who: entry.by.who,
  request_id: entry.by.requestId ?? null,
  import_supplier: entry.importSupplier ?? null,
  external_account_number: entry.externalAccountNumber ?? null,
  subject: entry.subject ?? null,
  before: entry.before ?? null,
  after: entry.after ?? null,
  hash: hash ?? null,
})

/** The first characters of a hash, which differ between neighbours; the JSON has the whole hash. */
const short = (hash: string | undefined): string => hash?.slice(0, 8) ?? ''

/** The form of audit events in lists; an event that is not sealed yet has `unsealed` in place of a number. */
const entryShown: Shown<ListedEntry> = {
  json,
  ...columns<ListedEntry>([
    ['ORGANISATION', 12, ({ entry }) => organisationText(entry.organisation)],
    ['NUMBER', 8, ({ sequence }) => (sequence === undefined ? 'unsealed' : String(sequence))],
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

const anyHash = '[0-9a-f]{64}|[\\w-]{16}:[\\w-]{43}'
const hashForm = new RegExp(`^(?:${anyHash})$`)
const lineForm = new RegExp(`^(.+) (\\d+) (${anyHash})$`)

const headOfLine = (line: string): KnownHead | undefined => {
  const [, organisation, sequence, hash] = lineForm.exec(line.trim()) ?? []
  if (hash === undefined) return undefined
  return { organisation: organisation === noneText ? '' : organisation, sequence: Number(sequence), hash }
}

const headOfJson = (value: unknown): KnownHead | undefined => {
  const { organisation, sequence, hash } = (value ?? {}) as Readonly<Record<string, unknown>>
  return typeof organisation === 'string' && typeof sequence === 'number' && typeof hash === 'string'
    ? { organisation, sequence, hash }
    : undefined
}

const headsIn = (text: string): readonly (KnownHead | undefined)[] => {
  if (!text.trimStart().startsWith('['))
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map(headOfLine)
  try {
    return (JSON.parse(text) as readonly unknown[]).map(headOfJson)
  } catch {
    return [undefined]
  }
}

const notHeads = (detail: string): Either<CommandError, never> => E.left(refused('usage', detail))

/** Ends of chains as `audit head` printed them, as lines or JSON, from a file; or one by its hash alone. */
const knownHeads = async (given: string): Promise<Either<CommandError, readonly KnownHead[]>> => {
  if (hashForm.test(given)) return E.right([{ hash: given }])
  let text: string
  try {
    text = await textOf(given, Readable.from([]))
  } catch {
    return notHeads(`--head is neither a hash that audit head prints, nor a file that can be read: ${given}`)
  }
  const heads = headsIn(text).filter((head) => head !== undefined)
  return heads.length === headsIn(text).length && heads.length > 0
    ? E.right(heads)
    : notHeads(`${given} is not an output of ${typed('audit head')}.`)
}

/** The most breaks that are shown; all are counted. With a wrong key every entry is a break. */
const mostShown = 1000

/** Verifies the chains, counts all breaks and returns the first ones. */
const verifyChains =
  (
    audit: AuditUseCases,
    input: Parameters<AuditUseCases['verify']>[0],
  ): TaskEither<PortFailure, Readonly<{ entries: number; found: number; breaks: readonly ChainBreak[] }>> =>
  async () => {
    const pages = await audit.verify(input)()
    if (E.isLeft(pages)) return pages
    let [entries, found] = [0, 0]
    const breaks: ChainBreak[] = []
    for await (const page of pages.right) {
      if (E.isLeft(page)) return page
      entries += page.right.entries
      found += page.right.breaks.length
      breaks.push(...page.right.breaks.slice(0, mostShown - breaks.length))
    }
    return E.right({ entries, found, breaks })
  }

type ListOptions = Readonly<{
  organisation?: string
  supplier?: string
  account?: string
  since?: Instant
  until?: Instant
}>

const list = (context: CliContext) => {
  const command = leafCommand('list', 'Show audit events: sealed ones by their number, then unsealed ones.')
    .option('--organisation <code>', 'only events of this organisation')
    .option('--supplier <code>', 'only events of this import supplier')
    .option('--account <external-number>', 'with --supplier: only events of this account')
    .option(
      '--since <instant>',
      'only events at or after this instant, as 2025-09-01T10:00:00Z',
      instantArgument,
    )
    .option('--until <instant>', 'only events before this instant', instantArgument)
  return command.action(async ({ organisation, supplier, account, since, until }: ListOptions) => {
    if (account !== undefined && supplier === undefined) command.error('error: --account needs --supplier')
    const filter = {
      organisation,
      importSupplier: supplier,
      externalAccountNumber: account,
      from: since,
      until,
    }
    await streamPages(context, ({ audit }) => audit.list(filter), entryShown)
  })
}

const verify = (context: CliContext) =>
  leafCommand(
    'verify',
    'Compute the hashes of all sealed audit events again, to find changed and missing ones.',
  )
    .option('--organisation <code>', 'only the chain of this organisation')
    .option(
      '--head <file-or-hash>',
      'an earlier output of `audit head`, or one hash of it: finds chains that were cut',
    )
    .action(async ({ organisation, head: given }: Readonly<{ organisation?: string; head?: string }>) => {
      const heads = given === undefined ? { _tag: 'Right' as const, right: [] } : await knownHeads(given)
      if (heads._tag === 'Left') return context.finish(heads)
      await operate(
        context,
        ({ audit }) => verifyChains(audit, { organisation, heads: heads.right }),
        ({ entries, found, breaks }) => ({
          json: { entries, breaks: breaks, found },
          ...(found > 0 && { result: breaks.map(breakText).join('\n') }),
          message:
            found === 0
              ? `${entries} entries are as they were sealed.`
              : `${found} breaks in ${entries} entries; the first ${breaks.length} are shown.`,
          ...(found > 0 && { exitCode: exitCode.dataHasFailures }),
        }),
      )
    })

/** `audit list | verify | head` */
export const make = operatorCommands((command, context) => [
  list(context),
  verify(context),
  command(
    leafCommand(
      'head',
      'Print the end of each chain: organisation, number, hash. Store it outside of the database.',
    ),
    ({ audit }) => audit.heads(),
    (heads) => ({
      json: heads.map(({ organisation, sequence, hash }) => ({ organisation, sequence, hash })),
      result: heads.map(headText).join('\n'),
    }),
  ),
])
