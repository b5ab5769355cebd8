import type { TypeOf } from 'io-ts'
import { FAILED } from '../codec/codec.js'
import { isBlank } from '../codec/scalars.js'
import type { note, paymentSchedule } from '../payloads/account.js'
import type { LocalDate } from '../values/instant.js'
import {
  allOf,
  compareIntervals,
  distinct,
  each,
  endNotBeforeStart,
  type Interval,
  notInFuture,
  OPEN_END,
  within,
} from './building-blocks.js'
import { ledgerRules } from './ledgers.js'
import type { MarketPack } from './markets/market-pack.js'
import {
  below,
  isRead,
  type ObjectRule,
  type Readable,
  type ReadAccount,
  type ReadList,
  type RuleFindings,
} from './rule.js'
import { supplyAddressRules } from './supply.js'

type Note = Readable<TypeOf<typeof note>>

const bodyOrDocuments: ObjectRule<Note> = ({ body, document_paths }, at, findings) => {
  if (body === FAILED || document_paths === FAILED) return
  const hasBody = body !== undefined && !isBlank(body)
  if (!hasBody && (document_paths === undefined || document_paths.length === 0))
    findings.add('note_body_or_document_path_not_found', at)
}

const unpinning: ObjectRule<Note> = ({ created_at, is_pinned, unpin_at }, at, findings) => {
  if (!isRead(unpin_at)) return
  if (isRead(created_at) && unpin_at < created_at)
    findings.add('note_unpin_at_earlier_than_creation_date', at, 'unpin_at')
  if (is_pinned === undefined || is_pinned === false)
    findings.add('unpin_at_without_is_pinned', at, 'unpin_at')
}

/** A note has a body or documents, was not created in the future, and is unpinned only if pinned, and later. */
export const noteRules = each<Note>(bodyOrDocuments, unpinning, notInFuture('created_at'))

/** The common fields of account statements and historical statements. */
type Statement = Readable<{
  bill_period_from_date: LocalDate
  bill_period_to_date: LocalDate
  statement_id: string
}>

/** Statement ids are unique; billed periods do not end before they begin, and have ended. */
const statementRules = allOf<ReadList<Statement>>(
  distinct({
    code: 'duplicate_statement_ids',
    field: 'statement_id',
    keyOf: ({ statement_id }) => statement_id,
  }),
  each<Statement>(
    endNotBeforeStart('bill_period_from_date', 'bill_period_to_date'),
    notInFuture('bill_period_to_date', 'historical_statement_period_end_in_future'),
  ),
)

type HistoricalStatement = Statement & Readable<{ issued_date: LocalDate }>

/** The rules of statements, and that the day of issue, which only historical statements have, is not in the future. */
export const historicalStatementRules = allOf<ReadList<HistoricalStatement>>(
  statementRules,
  each<HistoricalStatement>(notInFuture('issued_date')),
)

type Schedule = Readable<TypeOf<typeof paymentSchedule>>

const regularCollection: ObjectRule<Schedule> = (schedule, at, findings) => {
  const { amount, day_of_month, frequency, trigger } = schedule
  if (trigger !== undefined && trigger !== 'REGULAR') return
  if (frequency === undefined) findings.add('fixed_payment_schedule_missing_frequency', at, 'frequency')
  if (day_of_month === undefined)
    findings.add('fixed_payment_schedule_missing_day_of_month', at, 'day_of_month')
  if (amount === undefined || (amount !== FAILED && Number(amount) === 0))
    findings.add('zero_payment_schedule_amount', at, 'amount')
}

/** First and last day of each schedule, in their order, without those whose days cannot be read or end before they begin. */
const intervalsOf = (schedules: readonly (Schedule | typeof FAILED)[]): readonly Interval[] => {
  const intervals: Interval[] = []
  schedules.forEach((schedule, index) => {
    if (schedule === FAILED) return
    const { end_date: end = OPEN_END, start_date: start } = schedule
    if (isRead(start) && end !== FAILED && end >= start) intervals.push({ start, end, index })
  })
  return intervals
}

const oneAtATime: ObjectRule<ReadList<Schedule>> = (schedules, at, findings) => {
  if (!isRead(schedules) || schedules.length < 2) return
  compareIntervals(intervalsOf(schedules), ({ start, index }, greatestEnd) => {
    if (start <= greatestEnd) findings.add('payment_schedule_date_overlaps', below(at, index), 'start_date')
  })
}

const paymentScheduleRules = allOf<ReadList<Schedule>>(
  oneAtATime,
  each<Schedule>(endNotBeforeStart('start_date', 'end_date'), regularCollection),
)

/**
 * A rule over several fields of an account, or over a field and today (docs/reference/rules.md). It never throws or changes
 * the account, never validates a field that could not be read, and takes linear time, except for sorting.
 */
type AccountRule = (account: ReadAccount, findings: RuleFindings) => void

/** At least one customer has the role ACCOUNT_HOLDER. Skipped unless the roles of all customers can be read. */
const accountHolder: AccountRule = ({ customers }, findings) => {
  if (!isRead(customers) || customers.length === 0) return
  for (const customer of customers) {
    if (customer === FAILED || customer.account_roles === FAILED) return
    for (const role of customer.account_roles ?? []) if (role === FAILED || role === 'ACCOUNT_HOLDER') return
  }
  findings.add('required_user_role', undefined, 'customers')
}

/** An account has customers unless its occupier is unknown, and then it has none. */
const customersPresence: AccountRule = ({ customers, unknown_occupier }, findings) => {
  if (unknown_occupier === FAILED || customers === FAILED) return
  if (unknown_occupier === true) {
    if (isRead(customers) && customers.length > 0)
      findings.add('customer_with_unknown_occupier', undefined, 'customers')
  } else if (customers === undefined) findings.add('required', undefined, 'customers')
  else if (customers.length === 0) findings.add('empty', undefined, 'customers')
}

/** An account with an unknown occupier has one supply address. */
const oneOccupierAddress: AccountRule = ({ supply_addresses, unknown_occupier }, findings) => {
  if (unknown_occupier === true && isRead(supply_addresses) && supply_addresses.length > 1)
    findings.add('occupier_account_with_multiple_supply_addresses', undefined, 'supply_addresses')
}

/** Accounts of these types are not supplied themselves. */
const unsupplied = new Set<unknown>(['PORTFOLIO_LEAD', 'SYSTEM'])

/** An account has a supply point. Skipped unless all its addresses can be read. */
const somePoint: AccountRule = ({ account_type, supply_addresses }, findings) => {
  if (account_type === FAILED || unsupplied.has(account_type) || supply_addresses === FAILED) return
  for (const entry of supply_addresses ?? []) {
    const points = entry === FAILED ? FAILED : entry.supply_points
    if (points === FAILED || (points !== undefined && points.length > 0)) return
  }
  findings.add('account_without_supply_points', undefined, 'supply_addresses')
}

const customersAt = below(undefined, 'customers')

const familyName: ObjectRule<Readable<{ family_name?: string }>> = ({ family_name }, at, findings) => {
  if (family_name === undefined || (family_name !== FAILED && isBlank(family_name)))
    findings.add('customer_family_name_required', at, 'family_name')
}

const familyNames = each(familyName)

/** Customers of a domestic account, which is the default type, have a family name. */
const domesticFamilyNames: AccountRule = ({ account_type, customers }, findings) => {
  if (account_type === undefined || account_type === 'DOMESTIC') familyNames(customers, customersAt, findings)
}

type NamespacedValue = Readable<{ namespace: string; value: string }>

/** No two details of a customer have the same namespace. */
const distinctUserDetails = distinct<NamespacedValue>({
  code: 'duplicate_user_details',
  field: 'namespace',
  keyOf: ({ namespace }) => namespace,
})

/** No two metadata items have the same key. */
const distinctMetadata = distinct<Readable<{ key: string }>>({
  code: 'metadata_has_duplicate_keys',
  field: 'key',
  keyOf: ({ key }) => key,
})

/** No two references have the same namespace and value. */
const distinctReferences = distinct<NamespacedValue>({
  code: 'duplicate_references',
  field: 'value',
  keyOf: ({ namespace, value }) =>
    // Namespaces have no control characters, so the line break is the end of the namespace.
    typeof namespace === 'string' && typeof value === 'string' ? `${namespace}\n${value}` : undefined,
})

const inAccount = <Name extends string, A>(
  field: Name,
  rule: ObjectRule<ReadList<A>>,
): ((account: { readonly [F in Name]?: ReadList<A> }, findings: RuleFindings) => void) => {
  const at = below(undefined, field)
  return (account, findings) => {
    const items = account[field]
    if (items !== undefined) rule(items, at, findings)
  }
}

const commonRules: readonly AccountRule[] = [
  customersPresence,
  accountHolder,
  domesticFamilyNames,
  oneOccupierAddress,
  somePoint,
  inAccount('customers', each(within('user_details', distinctUserDetails))),
  inAccount('supply_addresses', supplyAddressRules),
  inAccount('notes', noteRules),
  inAccount('ledgers', ledgerRules),
  inAccount('payment_schedules', paymentScheduleRules),
  inAccount('statements', statementRules),
  inAccount('metadata', distinctMetadata),
  inAccount('references', distinctReferences),
]

/**
 * Validates an account by the rules of the markets that the supplier's settings name. Reports a market that the service no
 * longer has, as its rules cannot be checked.
 */
const applyMarketRules = (
  account: ReadAccount,
  findings: RuleFindings,
  markets: readonly MarketPack[],
): void => {
  for (const name of new Set(findings.context.settings.markets)) {
    const pack = markets.find(({ market }) => market === name)
    if (pack === undefined) {
      findings.add('market_rules_not_available', undefined)
      continue
    }
    const own = findings.withCodes(pack.codes)
    for (const rule of pack.rules) rule(account, own)
  }
}

/**
 * Validates an account that was read by all rules over several fields: the common ones, and those of the supplier's markets.
 * `markets`: the markets of the service.
 */
export const accountRules =
  (markets: readonly MarketPack[]): AccountRule =>
  (account, findings) => {
    for (const rule of commonRules) rule(account, findings)
    applyMarketRules(account, findings, markets)
  }
