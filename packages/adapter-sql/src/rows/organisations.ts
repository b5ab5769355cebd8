import type { Organisation } from '@account-import/core'
import { fromOptionalSqlInstant, fromSqlInstant, toSqlInstant } from './instants.js'
import type { NewRow } from './row.js'

export type OrganisationRow = Readonly<{
  code: string
  name: string
  created_at: string
  disabled_at: string | null
}>

export const organisationRow = (organisation: Organisation): NewRow<OrganisationRow> => ({
  code: organisation.code,
  name: organisation.name,
  created_at: toSqlInstant(organisation.createdAt),
  disabled_at: organisation.disabledAt === undefined ? null : toSqlInstant(organisation.disabledAt),
})

export const organisationOf = (row: OrganisationRow): Organisation => ({
  code: row.code,
  name: row.name,
  createdAt: fromSqlInstant(row.created_at),
  disabledAt: fromOptionalSqlInstant(row.disabled_at),
})
