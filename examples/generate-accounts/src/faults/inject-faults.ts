import { bundledMarkets, catalogueOf, type AccountPayload, type FieldCode } from '@account-import/core'
import { between } from '../random.js'
import { customerFaults } from './customer-faults.js'
import type { Fault, Finding, Findings } from './fault.js'
import { copyOf, type Json } from './json.js'
import { ledgerFaults } from './ledger-faults.js'
import { supplyFaults } from './supply-faults.js'

const allFaults = [...customerFaults, ...supplyFaults, ...ledgerFaults]
const published = catalogueOf(bundledMarkets)
const isError = ({ code }: Readonly<{ code: FieldCode }>): boolean => published[code]?.severity === 'error'

const overlaps = (left: string, right: string): boolean =>
  `${left}.`.startsWith(`${right}.`) || `${right}.`.startsWith(`${left}.`)

/** Puts one of the faults into the account, with a search from a random one; none where none fits. */
const putOne = (account: Json, faults: readonly Fault[], zones: string[]): readonly Finding[] => {
  const from = between(0, faults.length - 1)
  for (const { zone, put } of [...faults.slice(from), ...faults.slice(0, from)]) {
    const findings = zones.some((other) => overlaps(zone, other)) ? [] : put(account)
    if (findings.length === 0) continue
    zones.push(zone)
    return findings
  }
  return []
}

const inOrder = (findings: readonly Finding[]): readonly Finding[] =>
  findings.toSorted((left, right) => (`${left.attr} ${left.code}` < `${right.attr} ${right.code}` ? -1 : 1))

/**
 * The account with one to five faults: for errors, the first is an error; for warnings only, none is. `expected` is sorted by the code
 * units of attr, then of code.
 */
export const injectFaults = (
  valid: AccountPayload,
  wanted: 'error' | 'warning',
): Readonly<{ payload: unknown; expected: Findings }> => {
  const payload = copyOf(valid)
  const zones: string[] = []
  const first = allFaults.filter((fault) => isError(fault) === (wanted === 'error'))
  const findings = [...putOne(payload, first, zones)]
  for (let further = between(0, 4); further > 0; further--)
    findings.push(...putOne(payload, wanted === 'error' ? allFaults : first, zones))
  const [errors, warnings] = [findings.filter(isError), findings.filter((each) => !isError(each))].map(
    inOrder,
  )
  return { payload, expected: { errors: errors ?? [], warnings: warnings ?? [] } }
}
