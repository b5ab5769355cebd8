import type { AccountPayload } from '../payloads/account.js'
import type { KeyPath } from './key-path.js'
import type { Readable, ReadList } from './readable.js'
import type { RuleFindings } from './rule-findings.js'

/** An account payload after its fields were read one by one. */
export type ReadAccount = Readable<AccountPayload>

/**
 * A rule over several fields of an account, or over a field and the day (docs/reference/rules.md). It never throws or
 * changes the account, never validates what could not be read, and takes linear time, but for sorting.
 */
export type AccountRule = (account: ReadAccount, findings: RuleFindings) => void

/** The same over one object of any payload; `at` is where in the payload it is. */
export type ObjectRule<A> = (object: A, at: KeyPath, findings: RuleFindings) => void

/** The same over a list; `at` is where in the payload it is. */
export type ListRule<A> = ObjectRule<ReadList<A>>
