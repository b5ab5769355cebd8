import { accountFromPayload } from '../domain/account-from-payload.js'
import type { AccountKey } from '../domain/account-import.js'
import type { Account } from '../domain/account.js'
import type { ImportSupplier } from '../domain/import-supplier.js'
import { E, type Either, pipe } from '../fp.js'
import type { ClaimRequest, Creation, Staging } from '../ports/account-imports.js'
import type { LockedAccount } from '../ports/accounts.js'
import type { ApiKeyRecord } from '../ports/access.js'
import type { StorePorts } from '../ports/index.js'
import type { PortFailure, PortResult } from '../ports/port-failure.js'
import type { TransactionalStores } from '../ports/unit-of-work.js'
import type { SupplierSettings } from '../settings/supplier-settings.js'
import { builtInSettings } from '../validation/supplier-settings.js'
import { type Instant, instantOf, plusSeconds } from '../values/instant.js'
import { equal, right } from './contract-case.js'
import { payloadOf } from './payload-of.js'

/** The instant at which the cases begin. */
export const start: Instant = instantOf(Date.parse('2025-09-01T10:00:00.250Z'))

/** The instant `seconds` after the start. */
export const after = (seconds: number): Instant => plusSeconds(start, seconds)

/** A unique code. */
export const freshCode = (prefix: string): string => `${prefix}-${crypto.randomUUID().slice(0, 12)}`

/** Settings that all differ from the built-in ones. */
export const everySetting: Required<SupplierSettings> = {
  severities: { unknown_field: 'error', invalid_postcode: 'off' },
  closedLists: { sales_channel: { members: ['DIRECT', 'Ñ '], severity: 'warn' } },
  internalEmailDomains: ['example.com'],
  markets: [],
  documentRoot: 'levante/2025',
  migrationEmails: true,
  emailLanguage: 'ca',
  retentionDays: 90,
}

/** A new organisation with one ongoing supplier. */
export const freshSupplier = async (
  ports: Pick<StorePorts, 'organisations' | 'importSuppliers'>,
): Promise<ImportSupplier> => {
  const organisation = freshCode('ORG')
  await right(
    ports.organisations.create({
      code: organisation,
      name: organisation,
      createdAt: start,
      disabledAt: undefined,
    }),
  )
  const code = freshCode('SUP')
  const settings = { ...builtInSettings, documentRoot: `${organisation}/${code}` }
  const supplier: ImportSupplier = { organisation, code, status: 'ongoing', settings }
  await right(ports.importSuppliers.create(supplier))
  return supplier
}

export const keyOf = ({ organisation, code }: ImportSupplier, number: string): AccountKey => ({
  organisation,
  importSupplier: code,
  externalAccountNumber: number,
})

export const freshKey = async (ports: StorePorts): Promise<AccountKey> =>
  keyOf(await freshSupplier(ports), freshCode('N'))

/** The supplier that its organisation finds, without its revision. */
export const foundSupplier = async (
  { importSuppliers }: Pick<StorePorts, 'importSuppliers'>,
  organisation: string,
  code: string,
): Promise<ImportSupplier | undefined> => {
  const found = await right(importSuppliers.find(organisation, code))
  if (found === undefined) return undefined
  const { revision: _revision, ...supplier } = found
  return supplier
}

/** Rules and settings by which the data of `aStaging` was found valid, and by which `aCreation` trusts it. */
const rules = 'rules 1'

export const aStaging = (key: AccountKey, payload = '{"a":1}', at = start): Staging => ({
  key,
  payload,
  at,
  validatedUnder: rules,
})

/** A platform account number that no other case uses. */
export const freshNumber = (): string => `A-${crypto.randomUUID().slice(0, 13).toUpperCase()}`

/** A claim that lives for 60 seconds. */
export const aClaim = (key: AccountKey, token: string, at = start): ClaimRequest => ({
  key,
  token,
  at,
  expiresAt: plusSeconds(at, 60),
  countsAsAttempt: true,
})

/** Stages the key and takes its claim; returns the token. */
export const claimed = async (ports: StorePorts, key: AccountKey, at = start): Promise<string> => {
  const token = freshCode('token')
  await right(ports.accountImports.stage([aStaging(key, '{"a":1}', at)]))
  await right(ports.accountImports.claim([aClaim(key, token, at)]))
  return token
}

/** An account without optional details. */
export const aSmallAccount = (
  key: AccountKey,
  platformAccountNumber = freshNumber(),
  createdAt = start,
): Account => ({
  key,
  platformAccountNumber,
  operationsTeam: 'Team',
  stagedVersion: 1,
  createdAt,
  details: accountFromPayload(
    {
      import_supplier: key.importSupplier,
      external_account_number: key.externalAccountNumber,
      customers: [{}],
    },
    createdAt,
  ),
})

/** A creation without a claim, under a number that no other case uses. */
export const aCreation = (key: AccountKey, at = start): Creation => ({
  key,
  platformAccountNumber: freshNumber(),
  operationsTeam: 'Team',
  at,
  validatedUnder: rules,
})

/** The tags of the outcomes of a list. */
export const tagsOf = (outcomes: readonly Readonly<{ _tag: string }>[]): readonly string[] =>
  outcomes.map(({ _tag }) => _tag)

/** Stages the payload that gives the account, and creates it at its time; returns it with the version of its staged data. */
export const create = async (
  { accountImports }: Pick<TransactionalStores, 'accountImports'>,
  account: Account,
): PortResult<Account> => {
  const { key, createdAt, platformAccountNumber, operationsTeam, importRun } = account
  const creation = { ...aCreation(key, createdAt), platformAccountNumber, operationsTeam, importRun }
  const staged = await accountImports.stage([aStaging(key, payloadOf(account), createdAt)])
  if (E.isLeft(staged)) return staged
  const [only] = staged.right
  return pipe(
    await accountImports.create([creation]),
    E.map((outcomes) => {
      equal(tagsOf(outcomes), ['created'])
      return { ...account, stagedVersion: only && 'version' in only ? only.version : 0 }
    }),
  )
}

/** Stages the payload that gives the account, and creates it, in stores that keep accounts as payloads. */
export const created = (ports: StorePorts, account: Account): Promise<Account> =>
  right(create(ports, account))

/** Creates a small account. */
export const createdAccount = async (ports: StorePorts): Promise<Account> =>
  created(ports, aSmallAccount(await freshKey(ports)))

/** A unit of work on the account of the key, which must exist. */
export const onLocked = <Refused, A>(
  ports: Pick<StorePorts, 'unitOfWork'>,
  key: AccountKey,
  work: (account: LockedAccount, stores: TransactionalStores) => Promise<Either<Refused, A>>,
): Promise<Either<Refused | PortFailure, A>> =>
  ports.unitOfWork.run(key.organisation, async (stores): Promise<Either<Refused | PortFailure, A>> => {
    const account = await stores.accounts.lock(key)
    if (E.isLeft(account)) return account
    if (account.right === undefined) throw new Error('there is no account to lock')
    return work(account.right, stores)
  })

/** The SHA-256 of a text in lower-case hexadecimal digits. */
export const sha256 = async (text: string): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export const anApiKey = (organisation: string, changed: Partial<ApiKeyRecord> = {}): ApiKeyRecord => ({
  id: crypto.randomUUID().replaceAll('-', '').slice(0, 12),
  organisation,
  name: 'Clave de migración ',
  secretHash: 'f'.repeat(64),
  scopes: ['read', 'stage'],
  createdAt: start,
  expiresAt: undefined,
  revokedAt: undefined,
  lastUsedAt: undefined,
  ...changed,
})
