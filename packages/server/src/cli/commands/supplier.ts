import {
  type ImportSupplier,
  severities,
  type SupplierSettings,
  type SupplierStatus,
  supplierStatuses,
} from '@account-import/core'
import { E, pipe } from '@account-import/core/fp'
import { type Command, InvalidArgumentError } from 'commander'
import {
  given,
  type LeafCommand,
  leafCommand,
  listed,
  oneOf,
  properties,
  settingsChange,
  settingsJson,
  type SettingsOptions,
  typed,
  withRuleOptions,
} from '@account-import/cli/kit'
import type { ServerConfig } from '../../config/read-config.js'
import { reachingText, rootText } from '../../service/document-roots.js'
import { operatorCommands, refusing } from '../operate.js'

const supplierJson = ({ organisation, code, status, settings }: ImportSupplier) => ({
  code,
  organisation,
  status,
  settings: settingsJson(settings),
})

const joined = (entries: readonly string[]): string => (entries.length === 0 ? 'none' : entries.join(', '))

const settingsText = (settings: SupplierSettings): Readonly<Record<string, string>> => ({
  'document root': rootText(settings.documentRoot),
  'migration e-mails': settings.migrationEmails ? 'on' : 'off',
  'e-mail language': settings.emailLanguage ?? "auto (by the account's country)",
  'retention days': settings.retentionDays === undefined ? 'off' : String(settings.retentionDays),
  severities: joined(Object.entries(settings.severities).map(([code, severity]) => `${code}=${severity}`)),
  'closed lists': joined(
    Object.entries(settings.closedLists).map(
      ([name, { members, severity }]) => `${name}=${members.join(',')}:${severity}`,
    ),
  ),
  'internal e-mail domains': joined(settings.internalEmailDomains),
  markets: joined(settings.markets),
})

const supplierText = ({ code, organisation, status, settings }: ImportSupplier): string =>
  properties({ code, organisation, status, ...settingsText(settings) })

const supplierCommand = (name: string, description: string): LeafCommand =>
  leafCommand(name, description).argument('<code>', 'import supplier code')

/** Hints after a change of a supplier's e-mail settings; empty while its e-mails are off. */
const emailNotices = (
  { settings }: ImportSupplier,
  { mail, mailTemplates }: ServerConfig,
): readonly string[] => {
  if (!settings.migrationEmails) return []
  const language = settings.emailLanguage
  return [
    ...(mail === undefined
      ? [
          'Note: SMTP_URL is not set here. E-mails of accounts created from now on are stored, and sent as soon as a' +
            ` server runs with SMTP_URL and MAIL_FROM. To see them: ${typed('outbox list --state waiting')}`,
        ]
      : []),
    ...(language !== undefined && !mailTemplates.has(language)
      ? [
          `Note: there is no template for the language ${language} here (there is ${[...mailTemplates.keys()].join(', ')});` +
            ' such e-mails are in English. Add a folder of that name to MAIL_TEMPLATES.',
        ]
      : []),
  ]
}

/** A hint after a change of the retention days: here an account is its staged data. */
const retentionNotices = ({ settings }: ImportSupplier): readonly string[] =>
  settings.retentionDays === undefined
    ? []
    : [
        'Note: the days apply to refused accounts of import runs. The database of this server keeps the staged data of created accounts,' +
          ' because it is the account: erase and undo remove it.',
      ]

/** Hints after a change of these settings. */
const noticesOf = (
  supplier: ImportSupplier,
  { migrationEmails, emailLanguage, retentionDays }: SettingsOptions,
  config: ServerConfig,
): readonly string[] => [
  ...(migrationEmails === undefined && emailLanguage === undefined ? [] : emailNotices(supplier, config)),
  ...(retentionDays === undefined ? [] : retentionNotices(supplier)),
]

/** Reads an ISO 639 code, or `auto` for the language of the account's country. */
const languageArgument = (text: string): string => {
  if (!/^(?:auto|[a-z]{2,3})$/.test(text))
    throw new InvalidArgumentError('Use a language code such as es or ca, or auto.')
  return text
}

/** Reads a number of days from 0 (remove at once), or `off` to keep data for ever. */
const retentionArgument = (text: string): number | 'off' => {
  if (text === 'off') return 'off'
  if (!/^(0|[1-9]\d{0,8})$/.test(text)) throw new InvalidArgumentError('Use a whole number of days, or off.')
  return Number(text)
}

/** Reads `on` or `off`. */
const onOff = (text: string): boolean => oneOf(['on', 'off'])(text) === 'on'

const withOptions = (command: Command): Command =>
  withRuleOptions(command)
    .option(
      '--document-root <path>',
      'prefix of its document paths inside the bucket; empty for the bucket itself, where no other organisation has a supplier',
    )
    .option(
      '--migration-emails <on|off>',
      'whether customers get an e-mail when their account is created',
      onOff,
    )
    .option(
      '--email-language <code|auto>',
      "language of these e-mails; auto: by the account's country",
      languageArgument,
    )
    .option(
      '--check-documents <severity>',
      'severity of a missing document: off, warn, error',
      oneOf(severities),
    )
    .option(
      '--retention-days <days|off>',
      'days to keep refused accounts of import runs; off: for ever. The staged data of a created account stays, because it is the account',
      retentionArgument,
    )

const listedSuppliers = listed(
  supplierJson,
  [
    ['CODE', ({ code }) => code],
    ['ORGANISATION', ({ organisation }) => organisation],
    ['STATUS', ({ status }) => status],
    ['DOCUMENT ROOT', ({ settings }) => rootText(settings.document_root)],
  ],
  `There is no supplier yet. Make one with: ${typed('supplier create CODE --organisation CODE')}`,
)

type Options = Readonly<{ organisation: string; status?: SupplierStatus; documentRoot?: string }>

const consequences: Readonly<Record<SupplierStatus, string>> = {
  ongoing: 'accounts may be staged and processed.',
  paused: 'staging and processing are refused; more accounts are expected later.',
  complete: 'staging and processing are refused; no more accounts are expected.',
}

/** `supplier create | set-status | configure | show | list` */
export const make = operatorCommands(({ command }) => [
  command(
    leafCommand('create', 'Register an import supplier.')
      .example('supplier create LEVANTE --organisation ACME')
      .argument('<code>', 'the code that payloads name, such as LEVANTE')
      .requiredOption('--organisation <code>', 'the organisation that owns it')
      .option(
        '--status <status>',
        `${supplierStatuses.join(', ')} (default: ongoing)`,
        oneOf(supplierStatuses),
      )
      .option(
        '--document-root <path>',
        'prefix of its document paths inside the bucket (default: <organisation>/<code>)',
      ),
    ({ operator }, code: string, { organisation, status, documentRoot }: Options) =>
      operator.createSupplier(given({ code, organisation, status, documentRoot })),
    (made) => ({
      json: supplierJson(made),
      message: `Import supplier ${made.code} was created; its status is ${made.status}.`,
    }),
  ),
  command(
    supplierCommand('set-status', 'Open, pause or complete the migration of a supplier.')
      .example('supplier set-status LEVANTE paused')
      .argument('<status>', supplierStatuses.join(', '), oneOf(supplierStatuses)),
    ({ operator }, code: string, status: SupplierStatus) => operator.setSupplierStatus({ code, status }),
    (supplier) => ({
      json: supplierJson(supplier),
      message: `Import supplier ${supplier.code} is ${supplier.status}: ${consequences[supplier.status]}`,
    }),
  ),
  command(
    refusing<object>(
      withOptions(
        supplierCommand(
          'configure',
          'Change settings of a supplier; they apply from the next request.',
        ).example(
          'supplier configure LEVANTE --severity unknown_field=error --check-documents warn',
          'supplier configure LEVANTE --close-list sales_channel=DIRECT,EVENTS:error',
        ),
      ),
      ({ json: _json, ...settings }: { json?: true }) =>
        Object.keys(settings).length === 0
          ? 'name at least one setting to change (add --help to see them)'
          : undefined,
    ),
    async (
      { operator, config },
      code: string,
      { json: _json, ...settings }: SettingsOptions & { json?: true },
    ) =>
      pipe(
        await operator.configureSupplier({ code, change: settingsChange(settings) }),
        E.map((supplier) => ({ supplier, notices: noticesOf(supplier, settings, config) })),
      ),
    ({ supplier, notices }) => ({ json: supplierJson(supplier), result: supplierText(supplier), notices }),
  ),
  command(
    supplierCommand('show', 'Show a supplier with all its settings.').example(
      'supplier show LEVANTE',
      'supplier show LEVANTE --json > settings.json',
    ),
    ({ operator }, code: string) => operator.showSupplier(code),
    (supplier) => ({ json: supplierJson(supplier), result: supplierText(supplier) }),
  ),
  command(
    leafCommand('list', 'Show all suppliers.').example('supplier list'),
    async ({ operator }) => {
      const all = await operator.listSuppliers()
      if (E.isLeft(all)) return all
      return pipe(
        await operator.listReachingOthers(),
        E.map((reaching) => ({ all: all.right, reaching })),
      )
    },
    ({ all, reaching }) => ({
      ...listedSuppliers(all),
      notices: reaching.map((supplier) => `Warning: ${reachingText(supplier)}`),
    }),
  ),
])
