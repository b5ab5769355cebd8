import {
  bundledMarkets,
  type CatalogueEntry,
  catalogueOf,
  type FieldCode,
  type MarketPack,
} from '@account-import/core'
import { statusesOf } from '../problems/documented-problems.js'
import type { Guide, Guides } from './guide.js'
import { isFilledIn, shownDetail } from './shown-detail.js'

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
