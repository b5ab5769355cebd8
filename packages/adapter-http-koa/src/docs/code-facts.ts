import {
  bundledMarkets,
  type CatalogueEntry,
  catalogueOf,
  type FieldCode,
  type MarketPack,
} from '@account-import/core'
import { textOf } from '@account-import/core/adapter-kit'
import { statusesOf } from '@account-import/http-contract/openapi'

/** An example as text. `place`: where the fields of a payload stand; empty for requests and their answers. */
export type ExampleText = Readonly<{
  place: string
  bad: string
  good: string
  /** Options of `supplier configure` without which the code does not appear. */
  setting?: string
}>

/**
 * The page of a code in the folder `errors` of the documentation. Programs take nothing from it.
 *
 * - `means`: when the code appears
 * - `causes`: how it comes about in a migration
 * - `fix`: steps, in order
 * - `at`: the values of `attr`, with N for an index, or words where these would be too many; empty for the code of a
 *   whole answer
 */
export type Guide = Readonly<{
  means: string
  causes: readonly string[]
  fix: readonly string[]
  at: readonly string[]
  example: ExampleText
  related: readonly string[]
}>

/** Guides by code. A market pack that is not bundled has none: its codes are shown by what the catalogue says. */
export type Guides = Readonly<Record<string, Guide>>

/** The same example with each payload on one line. */
export const onOneLine = (example: ExampleText): ExampleText => {
  if (example.place === '') return example
  const short = (json: string): string => JSON.stringify(JSON.parse(json))
  return { ...example, bad: short(example.bad), good: short(example.good) }
}

/** The texts in place of the values that the rule of a field fills in. */
const words = {
  max: 'N',
  min: 'N',
  allowed: 'A, B or C',
  form: 'what the field takes, such as a date',
} as const

/** The text of a code as pages show it, where no field is meant. */
export const shownDetail = (entry: CatalogueEntry): string => textOf(entry, words)

/** Whether fields fill something in. */
const isFilledIn = ({ detail }: CatalogueEntry): boolean => /\{\w+\}/.test(detail)

const uses = {
  F: 'entry of errors',
  W: 'warning',
  T: 'code of the whole answer',
} as const

const classes = {
  data: 'Fix the data',
  'set-up': 'Fix the set-up: address, key, supplier, team or configuration',
  retry: 'Send the same request again later',
} as const

const severities = { error: 'error', warn: 'warning', off: 'off' } as const

const statusText = (code: FieldCode, entry: CatalogueEntry): string => {
  const { where, changeable } = entry
  const statuses = statusesOf(code, entry)
  const parts = statuses.length > 0 ? [statuses.join(', ')] : []
  if (where.includes('W')) parts.push('any success as a warning')
  if (changeable) parts.push('400 when it is raised to error')
  return parts.length > 0 ? parts.join('; ') : 'of a request that this version does not answer yet'
}

/** How the operator changes what the code does for a supplier; undefined where that cannot be changed. */
const commandFor = (code: FieldCode, { changeable }: CatalogueEntry): string | undefined => {
  const configure = 'account-import supplier configure SUPPLIER'
  if (code === 'not_in_supplier_list') return `${configure} --close-list NAME=VALUE1,VALUE2:error|warn`
  if (code === 'path_does_not_exist_in_file_store') return `${configure} --check-documents off|warn|error`
  return changeable ? `${configure} --severity ${code}=error|warn|off` : undefined
}

const bundled = catalogueOf(bundledMarkets)

/** The guide to a code, undefined where a market pack from outside has the code. */
export const guideTo = (code: FieldCode, entry: CatalogueEntry, guides: Guides): Guide | undefined =>
  bundled[code] === entry ? guides[code] : undefined

/** The catalogue, the problem table and the guide to a code in words; undefined for an unknown code. */
export const codeFacts = (
  code: FieldCode,
  markets: readonly MarketPack[],
  guides: Guides,
): CodeFacts | undefined => {
  const known = catalogueOf(markets)
  const entry = Object.hasOwn(known, code) ? known[code] : undefined
  return entry === undefined ? undefined : factsOf(code, entry, guideTo(code, entry, guides))
}

const factsOf = (code: FieldCode, entry: CatalogueEntry, guide: Guide | undefined) => {
  return {
    code,
    detail: shownDetail(entry),
    isFilledIn: isFilledIn(entry),
    where: entry.where.map((use) => uses[use]).join(', or '),
    remedy: classes[entry.class],
    statuses: statusText(code, entry),
    severity: code === 'not_in_supplier_list' ? 'as chosen with the list' : severities[entry.severity],
    command: commandFor(code, entry),
    guide,
  }
}

export type CodeFacts = ReturnType<typeof factsOf>
