import { FileFailure } from '@account-import/account-files'
import { pathInAccounts } from './account-field.js'
import { decoderOf, type LineDecoder, nameOfEncoding } from './encoding.js'

/** An SQL expression over the columns of a source, and its name in messages. */
type Expression = Readonly<{ sql: string; name: string }>

/** An amount to add up. `field`: where the accounts have the same sum, as `ledgers[].ledger_balance`. */
type Sum = Expression & Readonly<{ field: string | undefined }>

/** A file that a mapping declares, and all that its reader has to know. */
export type Source = Readonly<{
  /** The name of its table in the SQL. */
  name: string
  /** Path as declared. */
  file: string
  delimiter: string
  /** The quote character; undefined for a file without quoting. */
  quote: string | undefined
  /** The names of the columns of a file without a header; undefined where the first line names them. */
  columns: readonly string[] | undefined
  /** Whether each row ends with a delimiter: its last cell is empty, and no column. */
  endsEmpty: boolean
  encoding: string
  decoder: () => LineDecoder
  /** The expression that an account has in a column that begins with `_`; undefined: its rows are only counted. */
  key: Expression | undefined
  sums: readonly Sum[]
  /** Conditions on the rows that are none of an account, such as those of totals. */
  ignored: readonly Expression[]
}>

export const refusedMapping = (detail: string): FileFailure => new FileFailure('mapping_refused', detail)

const example = "-- source contracts = contracts.csv; delimiter ';'; encoding windows-1252; key cliente"

/** The sentence for a mapping that reads files by itself. */
export const undeclared = (found: string): FileFailure =>
  refusedMapping(
    `${found} A mapping declares each file at its top, with the column whose value names the account of a row:\n\n  ${example}\n\n` +
      'The SQL then reads it by that name, FROM contracts, and has the key in a column of the account: c.cliente AS _cliente.',
  )

const declaration = /^[ \t]*--[ \t]*source[ \t]+([^\s=]*)[ \t]*=(.*)$/i

/** The parts between semicolons that are not in quotes; undefined for an unclosed quote. */
const partsOf = (text: string): readonly string[] | undefined => {
  const parts = text.match(/(?:[^;'"]|'[^']*'|"[^"]*")+|;/g) ?? []
  if (parts.join('') !== text) return undefined
  return parts.filter((part) => part !== ';').map((part) => part.trim())
}

/** A text without the quotes around it. */
const unquoted = (text: string): string => /^(['"])(.*)\1$/s.exec(text)?.[2] ?? text

const expressionOf = (text: string): Expression => {
  const [, sql = text, name] = /^(.*\S)\s+as\s+([\p{L}_][\p{L}\p{N}_]*|"[^"]+")$/isu.exec(text) ?? []
  return { sql, name: unquoted(name ?? sql) }
}

/** Reads `EXPRESSION as NAME = FIELD`; name and field may be absent. */
const sumOf = (text: string, refuse: Refuse): Sum => {
  const [, expression = text, field] = /^(.*\S)\s*=\s*(\w+(?:\[\])?(?:\.\w+(?:\[\])?)*)$/s.exec(text) ?? []
  if (field !== undefined && pathInAccounts(field) === undefined)
    throw refuse(`compares a sum with the field ${field}, which an account does not have.`)
  return { ...expressionOf(expression), field }
}

/** The value of an option that is one character; `tab` stands for a tabulator. */
const characterOf = (text: string): string | undefined => {
  const value = /^(?:tab|\\t|'\\t')$/i.test(text) ? '\t' : unquoted(text)
  return value.length === 1 && !/[\r\n\0]/.test(value) ? value : undefined
}

const optionNames = ['delimiter', 'quote', 'columns', 'last', 'encoding', 'key', 'sum', 'ignore'] as const
const repeatable: ReadonlySet<string> = new Set(['sum', 'ignore'])
type OptionName = (typeof optionNames)[number]

const isOption = (name: string): name is OptionName => (optionNames as readonly string[]).includes(name)

type Options = Readonly<Record<OptionName, readonly string[]>>

type Refuse = (what: string) => FileFailure

const optionsOf = (parts: readonly string[], refuse: Refuse): Options => {
  const options: Record<OptionName, string[]> = {
    delimiter: [],
    quote: [],
    columns: [],
    last: [],
    encoding: [],
    key: [],
    sum: [],
    ignore: [],
  }
  for (const part of parts.filter((each) => each !== '')) {
    const [, name = '', value = ''] = /^(\w*)\s*(.*)$/s.exec(part) ?? []
    const option = name.toLowerCase()
    if (!isOption(option)) throw refuse(`has no option ${name}: the options are ${optionNames.join(', ')}.`)
    if (value === '') throw refuse(`has the option ${option} without a value.`)
    if (!repeatable.has(option) && options[option].length > 0) throw refuse(`has the option ${option} twice.`)
    options[option].push(value)
  }
  return options
}

/** The names of a list of columns, which commas separate. */
const columnsOf = (text: string): readonly string[] =>
  (text.match(/(?:[^,'"]|'[^']*'|"[^"]*")+/g) ?? []).map((name) => unquoted(name.trim()))

const sourceOf = (name: string, text: string, lineNumber: number): Source => {
  const refuse: Refuse = (what) =>
    refusedMapping(`The source ${name} on line ${lineNumber} ${what} Write, for example:\n\n  ${example}`)
  if (!/^[a-z_]\w*$/i.test(name))
    throw refuse('has no name that SQL can use: letters, digits and _, with a letter first.')
  const [file = '', ...parts] = partsOf(text) ?? []
  if (file === '') throw refuse('names no file, or has a quote that is not closed.')
  const options = optionsOf(parts, refuse)
  const [[delimiter], [key], [quote = '"'], [encoding = 'utf-8']] = [
    options.delimiter,
    options.key,
    options.quote,
    options.encoding,
  ]
  if (delimiter === undefined) throw refuse("declares no delimiter: add delimiter ';' or ',' or tab.")
  if (key === undefined)
    throw refuse(
      'declares no key: add the column whose value names the account of a row, such as key cliente, or key none for a table of reference.',
    )
  const [mark, quoteMark] = [characterOf(delimiter), characterOf(quote)]
  const isQuoted = !/^none$/i.test(quote)
  if (mark === undefined || (isQuoted && quoteMark === undefined))
    throw refuse('needs one character as delimiter and as quote; quote none is for a file without quoting.')
  if (mark === quoteMark) throw refuse('has the same character as delimiter and as quote.')
  const [[columns], [last]] = [options.columns, options.last]
  if (last !== undefined && !/^empty$/i.test(last))
    throw refuse('knows one value of the option last: last empty, for rows that end with the delimiter.')
  const label = nameOfEncoding(unquoted(encoding))
  if (label === undefined)
    throw refuse(
      `declares the encoding ${encoding}, which is not known. Known are utf-8, utf-16le, windows-1252, iso-8859-15, macintosh and the other names of the WHATWG Encoding Standard.`,
    )
  return {
    name,
    file: unquoted(file),
    delimiter: mark,
    quote: isQuoted ? quoteMark : undefined,
    columns: columns === undefined ? undefined : columnsOf(columns),
    endsEmpty: last !== undefined,
    encoding: label,
    decoder: () => decoderOf(label),
    key: /^none$/i.test(key) ? undefined : expressionOf(key),
    sums: options.sum.map((each) => sumOf(each, refuse)),
    ignored: options.ignore.map(expressionOf),
  }
}

/** The sources that a mapping declares, in order. Rejects a mapping with a faulty declaration. */
export const sourcesOf = (sql: string): readonly Source[] => {
  const sources = sql.split('\n').flatMap((line, at) => {
    const [, name, text] = declaration.exec(line.replace(/\r$/, '')) ?? []
    return name === undefined || text === undefined ? [] : [sourceOf(name, text.trim(), at + 1)]
  })
  const names = sources.map(({ name }) => name.toLowerCase())
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw refusedMapping(`The mapping declares two sources ${twice}.`)
  return sources
}
