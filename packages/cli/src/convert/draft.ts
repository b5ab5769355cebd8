import { FileFailure, reasonOf } from '@account-import/account-files'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type DraftField, draftFields, fieldOfColumn } from './column-names.js'
import { quoted } from './database.js'
import { withIncluded } from './templates.js'
import { type Inspected, inspect } from './inspect.js'

/** A file with the fields that its columns have by their names, its key, and the columns without a field. */
type Drafted = Inspected &
  Readonly<{
    fields: ReadonlyMap<DraftField, string>
    key: string | undefined
    unmatched: readonly string[]
  }>

const identifier = (name: string): string => (/^[a-z_]\w*$/i.test(name) ? name : quoted(name))

/** The column that names the account of a row: by its name, else the one that most files have, else one whose values differ. */
const keyOf = (files: readonly Inspected[]): string | undefined => {
  const all = files.flatMap(({ columns, isHeaderless }) => (isHeaderless ? [] : columns))
  const countOf = (name: string) => all.filter((each) => each.toLowerCase() === name.toLowerCase()).length
  const rank = (name: string): number =>
    countOf(name) * 2 + (fieldOfColumn(name) === 'external_account_number' ? 1 : 0)
  const known = all.filter((name) => fieldOfColumn(name) === 'external_account_number' || countOf(name) > 1)
  return (
    known.toSorted((one, other) => rank(other) - rank(one))[0] ?? files[0]?.unique[0] ?? files[0]?.columns[0]
  )
}

const draftedOf = (file: Inspected, key: string | undefined): Drafted => {
  const own = file.columns.find((column) => column.toLowerCase() === key?.toLowerCase())
  const fields = new Map<DraftField, string>()
  const unmatched: string[] = []
  for (const column of file.columns) {
    const field = fieldOfColumn(column)
    if (field !== undefined && !fields.has(field)) fields.set(field, column)
    else if (column !== own) unmatched.push(column)
  }
  return { ...file, fields, key: own, unmatched }
}

const declarationOf = (file: Drafted, sums: readonly string[]): string =>
  [
    `-- source ${file.name} = '${file.file}'`,
    `delimiter ${file.delimiter === '\t' ? 'tab' : `'${file.delimiter}'`}`,
    ...(file.quote === undefined ? ['quote none'] : []),
    ...(file.encoding === 'utf-8' ? [] : [`encoding ${file.encoding}`]),
    ...(file.isHeaderless ? [`columns ${file.columns.join(', ')}`] : []),
    ...(file.endsEmpty ? ['last empty'] : []),
    `key ${file.key === undefined ? 'none' : identifier(file.key)}`,
    ...sums.map((sum) => `sum ${sum}`),
  ].join('; ')

/** A member of a struct, and what to say about it. */
type Member = readonly [name: string, value: string | undefined, note?: string | undefined]

/** A struct without the members that have no value. */
const structOf = (members: readonly Member[], margin: string): string => {
  const kept = members.filter(([, value]) => value !== undefined)
  const lines = kept.map(
    ([name, value, note], at) =>
      `${margin}  ${name}: ${value}${at < kept.length - 1 ? ',' : ''}${note === undefined ? '' : ` -- ${note}`}`,
  )
  return `{\n${lines.join('\n')}\n${margin}}`
}

const missing = 'required, and no column was found'

/** The SQL of a mapping for these files; `main` has a row for each account. */
const mappingOf = (files: readonly Drafted[], main: Drafted): string => {
  const key = main.key ?? ''
  const best = (group: readonly DraftField[]): Drafted =>
    files
      .filter((file) => file.key !== undefined)
      .reduce((one, other) => {
        const count = (file: Drafted) => group.filter((field) => file.fields.has(field)).length
        return count(other) > count(one) ? other : one
      }, main)
  const places = {
    customer: best(draftFields.customer),
    supply: best(draftFields.supply.slice(0, 9)),
    transaction: best(draftFields.transaction),
  }
  /** The column of a field in the file of its group, else in the main one. A macro may not have a column of an outer query. */
  const column = (
    place: Drafted,
    field: DraftField,
    change = (text: string): string => text,
  ): string | undefined => {
    const own = place.fields.get(field)
    if (own !== undefined) return change(`${place === main ? 'm' : 'f'}.${identifier(own)}`)
    const outer = main.fields.get(field)
    return outer === undefined || place === main ? undefined : `m.${identifier(outer)}`
  }
  const listFrom = (place: Drafted, struct: string): string =>
    place === main
      ? `[${struct}]`
      : `(SELECT list(${struct} ORDER BY f._line)\n    FROM ${quoted(place.name)} f WHERE f.${identifier(place.key ?? '')} = m.${identifier(key)})`
  const day = (text: string) => `day_of(${text})`
  const { customer, supply, transaction } = places
  const of = (place: Drafted, field: DraftField): Member => [field, column(place, field)]
  const person = structOf(
    [
      ['account_roles', "['ACCOUNT_HOLDER']"],
      [
        'user_details',
        column(customer, 'fiscal_code', (text) => `[{ namespace: 'fiscal_code', value: ${text} }]`),
      ],
      of(customer, 'given_name'),
      [
        'family_name',
        column(customer, 'family_name') ?? column(customer, 'billing_name') ?? "''",
        column(customer, 'family_name') === undefined ? missing : undefined,
      ],
      of(customer, 'email'),
      of(customer, 'mobile'),
      of(customer, 'landline'),
    ],
    '  ',
  )
  const start = column(supply, 'supply_start_date', day)
  const from = start ?? "''"
  const power =
    column(supply, 'watts', (text) => `list_transform(range(6), lambda _: to_json(${text}))`) ??
    column(supply, 'kilowatts', (text) => `watts_of(${text})`)
  const tariff = column(supply, 'atr_tariff')
  const street = (['street_type', 'street_name', 'street_number', 'floor', 'door'] as const).map((field) =>
    of(supply, field),
  )
  const postal = column(supply, 'postal_code')
  const address = structOf(
    [
      of(supply, 'locality'),
      of(supply, 'administrative_area'),
      ['postal_code', postal && `regexp_replace(${postal}, '^(\\d{4})$', '0\\1')`],
      ['country', "'ES'"],
      [
        'structured_street_address',
        street.some(([, value]) => value !== undefined) ? structOf(street, '      ') : undefined,
      ],
    ],
    '    ',
  )
  const point = structOf(
    [
      [
        'identifier',
        column(supply, 'identifier') ?? "''",
        column(supply, 'identifier') === undefined ? missing : undefined,
      ],
      of(supply, 'distributor_ree_code'),
      ['supply_type', "'ELECTRICITY'", "or 'GAS'"],
      ['supply_start_date', from, start === undefined ? missing : undefined],
      ['last_billed_to_date', column(supply, 'last_billed_to_date', day)],
      ['atr_tariffs', tariff === undefined ? undefined : `[{ value: ${tariff}, valid_from: ${from} }]`],
      [
        'agreements',
        `[${structOf([['tariff_code', column(supply, 'tariff_code') ?? "'LUZ-HOGAR'"], ['effective_from', from], of(supply, 'cnae'), ['contractual_max_power', power], of(supply, 'annual_consumption')], '      ')}]`,
      ],
    ],
    '    ',
  )
  const place = structOf(
    [
      ['supply_address', address],
      ['customer_at_supply_address_from_date', from],
      ['supply_points', `[${point}]`],
    ],
    '  ',
  )
  const balance = main.fields.get('last_statement_balance')
  const amount = transaction.fields.get('amount')
  const payments =
    amount === undefined || transaction === main
      ? undefined
      : listFrom(
          transaction,
          structOf(
            [
              ['transaction_id', column(transaction, 'transaction_id') ?? 'CAST(f._line AS VARCHAR)'],
              ['transaction_date', column(transaction, 'transaction_date', day) ?? "''"],
              ['amount', `decimal_of(f.${identifier(amount)})`],
              ['type', "'PAYMENT'"],
              ['payment_type', "'DIRECT_CREDIT'"],
            ],
            '      ',
          ),
        )
  const ledger = structOf(
    [
      ['ledger_code', "'SPAIN_ELECTRICITY_LEDGER'"],
      [
        'last_statement_balance',
        balance === undefined ? undefined : `decimal_of(m.${identifier(balance)})`,
        'credit of the customer is positive, debt negative',
      ],
      ['last_statement_closing_date', "'2025-09-30'", 'the day of the last bills'],
      ['current_statement_transactions', payments],
    ],
    '  ',
  )
  const columns = [
    "getvariable('supplier') AS import_supplier",
    `m.${identifier(key)} AS external_account_number`,
    `m.${identifier(key)} AS ${identifier(`_${key}`)}`,
    ...(main.fields.has('billing_name') ? [`${column(main, 'billing_name')} AS billing_name`] : []),
    `${listFrom(customer, person)} AS customers`,
    ...(supply.fields.has('identifier') ? [`${listFrom(supply, place)} AS supply_addresses`] : []),
    ...(balance === undefined && payments === undefined ? [] : [`[${ledger}] AS ledgers`]),
  ]
  const sumsOf = (file: Drafted): readonly string[] => [
    ...(file === supply && file.fields.has('identifier')
      ? [`1 as points = supply_addresses[].supply_points[]`]
      : []),
    ...(file === transaction && payments !== undefined && amount !== undefined
      ? [`decimal_of(${identifier(amount)}) as amount = ledgers[].current_statement_transactions[].amount`]
      : []),
  ]
  const used = new Set([main, ...Object.values(places)])
  const shown = (names: readonly string[]): string => names.join(', ').replaceAll(/\s+/g, ' ')
  const matches = files.flatMap((file) => [
    `-- ${file.name}: ${shown([...file.fields].map(([field, name]) => `${name} = ${field}`)) || 'no column is known'}${used.has(file) ? '' : '. The query does not read this file yet.'}`,
    ...(file.unmatched.length === 0 ? [] : [`--   not matched: ${shown(file.unmatched)}`]),
  ])
  return `-- A draft from the first rows of your files. Delimiters, encodings and keys are proposals from what is in them, and columns were matched to
-- fields by their names. Check each line: docs/how-to/validate-offline.md explains declarations, docs/reference/fields.md fields.
${files.map((file) => declarationOf(file, sumsOf(file))).join('\n')}

${matches.join('\n')}

-- include macros.sql

SELECT
  ${columns.join(',\n  ')}
FROM ${quoted(main.name)} m
ORDER BY m._line
`
}

/** How likely a file is to have one row for each account: each of its keys is there once, and it has names of customers. */
const rankOf = ({ key, unique, fields }: Drafted): number =>
  key === undefined
    ? -1
    : (unique.includes(key) ? 100 : 0) +
      [...draftFields.customer, ...draftFields.ledger].filter((field) => fields.has(field)).length

/** The text of a draft about a file, without a cell of its rows. */
export type Proposal = Readonly<{
  file: string
  delimiter: string
  encoding: string
  key: string | null
  header: boolean
  matched: Readonly<Record<string, string>>
  unmatched: readonly string[]
}>

/**
 * Drafts a mapping for files, and writes it into a folder, or that of the first file. `folders`: others that have files. Rejects with
 * `FileFailure`.
 */
export const writeDraft = async (
  paths: readonly string[],
  folder: string = dirname(paths[0] ?? ''),
): Promise<Readonly<{ path: string; folders: readonly string[]; proposals: readonly Proposal[] }>> => {
  const inspected: Inspected[] = []
  for (const each of paths) {
    const file = await inspect(each)
    const isTaken = (name: string) => inspected.some((other) => other.name === name)
    inspected.push({
      ...file,
      name: isTaken(file.name) ? `${file.name}_${inspected.length + 1}` : file.name,
    })
  }
  const key = keyOf(inspected)
  const files = inspected.map((file) => draftedOf(file, key))
  const main = files.reduce((one, other) => (rankOf(other) > rankOf(one) ? other : one))
  const path = join(folder, 'mapping.sql')
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(path, await withIncluded(mappingOf(files, main)), { flag: 'wx' })
  } catch (cause) {
    throw new FileFailure(
      'output_not_writable',
      `${path} cannot be written (${reasonOf(cause)}). Name another folder: --init FOLDER.`,
    )
  }
  const proposals = files.map((file) => ({
    file: file.file,
    delimiter: file.delimiter,
    encoding: file.encoding,
    key: file.key ?? null,
    header: !file.isHeaderless,
    matched: Object.fromEntries([...file.fields].map(([field, name]) => [name, field])),
    unmatched: file.unmatched,
  }))
  const folders = new Set(
    paths.map((each) => dirname(each)).filter((each) => resolve(each) !== resolve(folder)),
  )
  return { path, folders: [...folders], proposals }
}
