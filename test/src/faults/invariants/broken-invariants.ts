import type { Ports } from '@account-import/core'
import { accountFaults } from './account-faults.js'
import { importFaults } from './import-faults.js'
import type { Looked, LookedSupplier } from './look-at.js'
import { moneyFaults } from './money-faults.js'
import type { Sent } from './sent.js'
import { summaryFaults } from './summary-faults.js'

const sharedNumbers = (looked: readonly Looked[]): readonly string[] => {
  const numbers = looked.flatMap(({ account }) =>
    account === undefined ? [] : [account.platformAccountNumber],
  )
  return new Set(numbers).size === numbers.length ? [] : ['I1: two accounts have one platform account number']
}

/** Where e-mails are wanted, every account has one. */
const withoutEmail = (looked: readonly Looked[]): readonly string[] =>
  looked
    .filter(({ account, emails }) => account !== undefined && emails.length === 0)
    .map(({ key }) => `${key.externalAccountNumber}: I3: created without its e-mail`)

/** All that is wrong with what is behind the ports, by what clients sent and were told. */
export const brokenInvariants = async (
  ports: Ports,
  all: readonly LookedSupplier[],
  sent: Sent,
): Promise<readonly string[]> => {
  const faults: string[] = []
  for (const { supplier, looked } of all) {
    const { processingClaimSeconds } = ports.settings
    for (const each of looked)
      faults.push(
        ...importFaults(each, sent, ports.clock.now(), processingClaimSeconds),
        ...accountFaults(each, sent),
      )
    faults.push(...moneyFaults(supplier.code, looked, sent))
    faults.push(...(await summaryFaults(ports, supplier, looked)))
    if (supplier.settings.migrationEmails) faults.push(...withoutEmail(looked))
  }
  return [...faults, ...sharedNumbers(all.flatMap(({ looked }) => looked))]
}
