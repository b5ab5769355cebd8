import type { AccessTokenClaims, Scope, UseCases } from '@account-import/core'
import { instantOf, scopes } from '@account-import/core'
import { E } from '@account-import/core/fp'

const claimsFor = (organisation: string, allowed: readonly Scope[]): AccessTokenClaims => ({
  apiKeyId: 'key1',
  organisation,
  scopes: allowed,
  family: 'family1',
  issuedAt: instantOf(0),
  expiresAt: instantOf(3_600_000),
})

/** `good` may do everything, `only-<scope>` one thing, `old` has expired; anything else is no token. */
export const authenticate: UseCases['authenticate'] = async (token) => {
  if (token === 'good') return E.right(claimsFor('ACME', scopes))
  if (token === 'old') return E.left({ _tag: 'TokenExpired' })
  const scope = scopes.find((each) => token === `only-${each}`)
  return scope === undefined ? E.left({ _tag: 'AuthenticationFailed' }) : E.right(claimsFor('ACME', [scope]))
}

/** The named use cases, and for all others functions that a test must not reach. */
const onlyThese = <A extends object>(named: Partial<A>): A =>
  new Proxy(named, {
    get: (target, name) =>
      (Reflect.get(target, name) as unknown) ??
      (() => {
        throw new Error(`${String(name)} was not to be asked`)
      }),
  }) as A

/** Use cases for looking at the transport alone: those that a test does not name must not be reached. */
export const someUseCases = (named: Partial<UseCases> = {}): UseCases =>
  onlyThese<UseCases>({
    authenticate,
    reauthenticate: async () => E.right(undefined),
    audit: onlyThese<UseCases['audit']>({}),
    emails: onlyThese<UseCases['emails']>({ canSend: false }),
    operator: onlyThese<UseCases['operator']>({}),
    ...named,
  })

/** The rest of the answer to a valid account of which nothing is known. */
export const unforeseen = { staging: 'created', sameData: undefined, warnings: [] } as const

/** Returns its request, so that a test sees the input of the use case. */
export const echoing: Pick<UseCases, 'validateAccount' | 'stageAccount'> = {
  validateAccount: async ({ payload }) => E.right({ account: { payload }, ...unforeseen }),
  stageAccount: async ({ organisation }) =>
    E.right({ outcome: 'created', importSupplier: organisation, externalAccountNumber: 'N1', warnings: [] }),
}
