import type { NewRow, Row } from '../sql/rows.js'
import type { OrganisationRow } from './organisations.js'

/** What does not compile here must not compile anywhere: a line that would makes the build fail. */
export const whole: NewRow<OrganisationRow> = {
  code: 'O',
  name: 'N',
  created_at: 'now',
  disabled_at: undefined,
}

// @ts-expect-error -- a column is forgotten
export const forgotten: NewRow<OrganisationRow> = { code: 'O', created_at: 'now', disabled_at: undefined }

// @ts-expect-error -- a column that may be empty is forgotten too
export const withoutEnd: NewRow<OrganisationRow> = { code: 'O', name: 'N', created_at: 'now' }

// @ts-expect-error -- a column that may not be empty
export const nameless: NewRow<OrganisationRow> = { ...whole, name: undefined }

// @ts-expect-error -- a column takes no boolean
export const boolean: Row = { skipped: true }
