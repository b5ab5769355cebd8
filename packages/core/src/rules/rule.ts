import type { AccountPayload } from '../payloads/account.js'
import type { Place } from './place.js'
import type { Readable, ReadList } from './readable.js'
import type { Report } from './report.js'

/** An account payload after its fields were read one by one. */
export type ReadAccount = Readable<AccountPayload>

/**
 * A rule over several fields of an account, or a field and the calendar (layer A of section 7). Never throws, never
 * changes the account; what was not read is never judged. Takes time in proportion to the payload, sorting aside.
 */
export type AccountRule = (account: ReadAccount, report: Report) => void

/** The same over one object that stands at a place, in whichever payload. */
export type ObjectRule<A> = (object: A, at: Place, report: Report) => void

/** The same over a list that stands at a place. */
export type ListRule<A> = ObjectRule<ReadList<A>>
