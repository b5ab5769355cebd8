import { catalogue, type CatalogueEntry, type ErrorCode } from '@account-import/core'
import { guides } from '@account-import/core/guides'
import { statusesOf } from '../problems/statuses-of.js'

const places = {
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

const statusText = (code: ErrorCode, { where, changeable }: CatalogueEntry): string => {
  const statuses = statusesOf(code)
  const parts = statuses.length > 0 ? [statuses.join(', ')] : []
  if (where.includes('W')) parts.push('any success as a warning')
  if (changeable) parts.push('400 when it is raised to error')
  return parts.length > 0 ? parts.join('; ') : 'of a request that this version does not answer yet'
}

/** How the operator changes what the code does for a supplier; undefined where that cannot be changed. */
const commandFor = (code: ErrorCode, { changeable }: CatalogueEntry): string | undefined => {
  const configure = 'account-import supplier configure SUPPLIER'
  if (code === 'not_in_supplier_list') return `${configure} --close-list NAME=VALUE1,VALUE2:error|warn`
  if (code === 'path_does_not_exist_in_file_store') return `${configure} --check-documents off|warn|error`
  return changeable ? `${configure} --severity ${code}=error|warn|off` : undefined
}

/** What the catalogue, the problem table and the guide say of a code, in words. */
export const codeFacts = (code: ErrorCode) => {
  const entry = catalogue[code]
  return {
    code,
    detail: entry.detail,
    where: entry.where.map((place) => places[place]).join(', or '),
    remedy: classes[entry.class],
    statuses: statusText(code, entry),
    severity: code === 'not_in_supplier_list' ? 'as chosen with the list' : severities[entry.severity],
    command: commandFor(code, entry),
    guide: guides[code],
  }
}

export type CodeFacts = ReturnType<typeof codeFacts>
