import type { FailedAttempt } from '@account-import/core'
import { type NewRow, objectOf, optional, type Row, text } from '../sql/rows.js'
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

// @ts-expect-error -- a field of what is kept as JSON is forgotten
export const shapeless = objectOf<Pick<FailedAttempt, 'code'>>({})

// @ts-expect-error -- a field that may be absent is not to be required
export const required = objectOf<Readonly<{ code?: string }>>({ code: text })

// @ts-expect-error -- a field that is always there is not to be optional
export const loose = objectOf<Pick<FailedAttempt, 'code'>>({ code: optional(text) })
