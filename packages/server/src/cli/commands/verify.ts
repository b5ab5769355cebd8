import { counted, numberText, oneCell } from '@account-import/account-files'
import {
  given,
  type CliContext,
  type CliIo,
  type CommandResult,
  type ExitCode,
  leafCommand,
  printFindings,
} from '@account-import/cli/kit'
import { mapped } from '@account-import/core/adapter-kit'
import { E } from '@account-import/core/fp'
import type { Break, Counted, Find } from '../../service/database.js'
import { databaseError } from '../../start-error.js'
import { failureOf, withConfig } from '../operate.js'
import { startFailure } from '../start-failure.js'

/** The counts of compared data. */
type Totals = Record<Counted, number>

const cell = (text: string | undefined): string => (text === undefined ? '-' : oneCell(text))

/** A line with tabs, for people and tools: kind, organisation, supplier, external number, platform number or run, place. */
const textOf = (found: Break): string =>
  [
    found.kind,
    cell(found.organisation),
    cell(found.importSupplier),
    cell(found.externalAccountNumber),
    cell(found.platformAccountNumber ?? found.importRun),
    `${found.table} (${found.columns.join(', ')})`,
  ].join('\t')

const jsonOf = (found: Break) => ({
  kind: found.kind,
  organisation: found.organisation ?? null,
  import_supplier: found.importSupplier ?? null,
  external_account_number: found.externalAccountNumber ?? null,
  platform_account_number: found.platformAccountNumber ?? null,
  import_run: found.importRun ?? null,
  table: found.table,
  columns: found.columns,
})

const found = (breaks: number): string =>
  breaks === 1 ? '1 inconsistency' : `${numberText(breaks)} inconsistencies`

const summary = (compared: Totals, breaks: number): string =>
  `${breaks === 0 ? 'No inconsistency' : found(breaks)} in ${counted(compared.imports, 'import')}, ` +
  `${counted(compared.accounts, 'account')} with ${counted(compared.rows, 'row')}, and ${counted(compared.emails, 'e-mail')} ` +
  `of ${counted(compared.suppliers, 'supplier')}.${breaks === 0 ? '' : ' Their meanings: docs/reference/inconsistencies.md'}`

const nothing: Totals = { suppliers: 0, imports: 0, accounts: 0, emails: 0, rows: 0 }

/** Prints inconsistencies; answers undefined where no supplier was compared. */
const print = (io: CliIo, form: 'lines' | 'document', find: Find): Promise<ExitCode | undefined> => {
  const totals = { ...nothing }
  return printFindings<Break>(
    io,
    {
      form,
      name: 'breaks',
      text: textOf,
      json: jsonOf,
      totals,
      summary: (breaks) => summary(totals, breaks),
      failureOf: (thrown) => startFailure(databaseError(thrown)),
    },
    mapped(
      find((what, many) => (totals[what] += many)),
      (each) => [each],
    ),
    () => totals.suppliers === 0,
  )
}

type Options = Readonly<{ supplier?: string; organisation?: string }>

const nothingThere = ({ supplier, organisation }: Options): CommandResult => {
  if (supplier !== undefined)
    return E.left(failureOf({ _tag: 'DoesNotExist', subject: 'import supplier', name: supplier }))
  if (organisation !== undefined)
    return E.left(failureOf({ _tag: 'DoesNotExist', subject: 'organisation', name: organisation }))
  const message = 'There is no import supplier: only the audit log was compared.'
  return E.right({ json: { breaks: [], ...nothing }, message })
}

const about = `Compare the data of the database: indexes, references, payloads with their hashes, additions, counts, and the audit log.
Changes nothing, and may run beside servers. Prints a line for each inconsistency (kind, organisation, supplier, external number,
platform number or run, table with columns), and exits with 1 if there is one.`

/** `verify [--supplier CODE] [--organisation CODE]` */
export const make = (context: CliContext) =>
  leafCommand('verify', about)
    .example('verify', 'verify --supplier LEVANTE --json')
    .option('--supplier <code>', 'only data of this import supplier, without the audit log')
    .option('--organisation <code>', 'only data of this organisation')
    .action((options: Options) =>
      withConfig(context, async (config) => {
        const form = context.json() ? 'document' : 'lines'
        const scope = given({ importSupplier: options.supplier, organisation: options.organisation })
        const { verifyDatabase } = await import('../../service/database.js')
        const code = await verifyDatabase(config, scope, (find) => print(context.io, form, find))
        if (code === undefined) context.finish(nothingThere(options))
        else context.end(code)
      }),
    )
