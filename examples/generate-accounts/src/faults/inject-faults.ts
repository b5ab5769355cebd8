import { bundledMarkets, catalogueOf, type AccountPayload, type FieldCode } from '@account-import/core'
import type { Random } from '../random/random.js'
import { allFaults } from './all-faults.js'
import type { Fault, Finding, Findings } from './fault.js'
import { copyOf, type Json } from './json.js'

const published = catalogueOf(bundledMarkets)

const isError = (code: FieldCode): boolean => published[code]?.severity === 'error'

const warningFaults = allFaults.filter(({ code }) => !isError(code))
const errorFaults = allFaults.filter(({ code }) => isError(code))

const overlaps = (left: string, right: string): boolean =>
  left === right || left.startsWith(`${right}.`) || right.startsWith(`${left}.`)

/** Puts one of the faults into the account, with a search from a random one; none where none fits. */
const putOne = (
  random: Random,
  account: Json,
  faults: readonly Fault[],
  zones: string[],
): readonly Finding[] => {
  const from = random.below(faults.length)
  for (const fault of [...faults.slice(from), ...faults.slice(0, from)]) {
    if (zones.some((zone) => overlaps(zone, fault.zone))) continue
    const findings = fault.put(account, random)
    if (findings.length === 0) continue
    zones.push(fault.zone)
    return findings
  }
  return []
}

const inOrder = (findings: readonly Finding[]): readonly Finding[] =>
  [...findings].sort((left, right) => {
    if (left.attr !== right.attr) return left.attr < right.attr ? -1 : 1
    return left.code < right.code ? -1 : 1
  })

/**
 * The account with one to five faults: for errors, the first is an error; for warnings only, none is. `expected` is sorted by the
 * code units of attr, then of code.
 */
export const injectFaults = (
  random: Random,
  valid: AccountPayload,
  wanted: 'error' | 'warning',
): Readonly<{ payload: unknown; expected: Findings }> => {
  const payload = copyOf(valid)
  const zones: string[] = []
  const findings = [...putOne(random, payload, wanted === 'error' ? errorFaults : warningFaults, zones)]
  for (let further = random.below(5); further > 0; further--)
    findings.push(...putOne(random, payload, wanted === 'error' ? allFaults : warningFaults, zones))
  return {
    payload,
    expected: {
      errors: inOrder(findings.filter(({ code }) => isError(code))),
      warnings: inOrder(findings.filter(({ code }) => !isError(code))),
    },
  }
}
