import { pause } from '../concurrency/pause.js'
import { accountFromPayload } from '../domain/account-from-payload.js'
import type { Account } from '../domain/account.js'
import type { ImportSupplier } from '../domain/import-supplier.js'
import { E } from '../fp.js'
import type { AccountImports, Creation, StagedData } from '../ports/account-imports.js'
import { largeAccountBytes } from '../ports/accounts.js'
import type { Ports } from '../ports/index.js'
import { portFailure } from '../ports/port-failure.js'
import { validatedAccount } from '../checking/check-payload.js'
import { rulesInForce } from '../checking/rules-in-force.js'
import { answered, type At, keyOf, type OnItsWay, type Page, refused } from './on-its-way.js'

/** Whether somebody reads the account when it is created: the platform, or the e-mail to its customers. */
export const needsDetails = (
  { accounts }: Pick<Ports, 'accounts'>,
  { settings }: Pick<ImportSupplier, 'settings'>,
): boolean => accounts.create !== undefined || settings.migrationEmails

type JudgePorts = Pick<Ports, 'accounts' | 'clock' | 'settings'>

const accountOf = (creation: Creation, version: number, details: Account['details']): Account => {
  const { key, platformAccountNumber, operationsTeam, at: createdAt, importRun } = creation
  return {
    key,
    platformAccountNumber,
    operationsTeam,
    stagedVersion: version,
    createdAt,
    ...(importRun !== undefined && { importRun }),
    details,
  }
}

/** Validates staged data by the present settings, and reads the account if somebody needs it. */
const judged = (ports: JudgePorts, each: At<'unread'>, { version, payload }: StagedData): OnItsWay => {
  const { accepted, token, creation } = each
  let parsed: unknown
  try {
    parsed = JSON.parse(payload)
  } catch {
    const cause = new Error('staged data is no JSON')
    return refused(each, portFailure('unexpected', 'accountImports', 'create', cause))
  }
  const { supplier } = accepted
  const checked = validatedAccount(ports)(parsed, supplier)
  if (E.isLeft(checked)) return answered(each, checked)
  const { account, warnings } = checked.right
  return {
    step: 'asking',
    accepted,
    token,
    creation: { ...creation, version, validatedUnder: rulesInForce(ports.settings, supplier) },
    warnings,
    account: needsDetails(ports, supplier)
      ? accountOf(creation, version, accountFromPayload(account, creation.at))
      : undefined,
  }
}

/**
 * Reads the data of as many accounts as the store returns at once, and judges it: each is refused, or is to be created from the
 * version that was found valid. Data that was removed meanwhile is left to the store. Other requests have their turn before much data.
 */
export const judgeStagedData =
  (ports: JudgePorts, accountImports: Pick<AccountImports, 'staged'>) =>
  async (unread: readonly At<'unread'>[]): Promise<Page> => {
    const staged = await accountImports.staged(unread.map(keyOf))
    if (E.isLeft(staged)) return unread.map((each) => answered(each, staged))
    const length = staged.right.reduce((sum, data) => sum + (data?.payload?.length ?? 0), 0)
    if (length > largeAccountBytes) await pause(0)
    return unread.map((each, index): OnItsWay => {
      const data = staged.right[index]
      if (data?.failure !== undefined) return refused(each, data.failure)
      if (data !== undefined) return judged(ports, each, data)
      return index < staged.right.length ? { ...each, step: 'asking', warnings: [] } : each
    })
  }
