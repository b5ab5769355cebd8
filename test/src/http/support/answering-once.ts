import type { Ports, UseCases } from '@account-import/core'
import { inMemoryPorts } from '@account-import/core/in-memory'
import { instantOf, scopes } from '@account-import/core'
import { E, makeUseCases } from '@account-import/core/fp'
import { authenticate } from './some-use-cases.js'

/** `other` is the token of another organisation. */
const authenticateTwo: UseCases['authenticate'] = async (token) =>
  token === 'other'
    ? E.right({
        apiKeyId: 'key2',
        organisation: 'OTHER',
        scopes,
        family: 'family2',
        issuedAt: instantOf(0),
        expiresAt: instantOf(3_600_000),
      })
    : authenticate(token)

/** The surroundings of a request with an idempotency key, on ports in memory. */
export const answeringOnce = (
  ports: Partial<Ports> = {},
): Pick<UseCases, 'answerOnce' | 'forgetAnswers' | 'authenticate'> => {
  const { answerOnce, forgetAnswers } = makeUseCases(inMemoryPorts(ports))
  return { answerOnce, forgetAnswers, authenticate: authenticateTwo }
}

/** Stages every account, and counts the calls. */
export const countingStages = () => {
  const counted = { stages: 0 }
  const stageAccount: UseCases['stageAccount'] = async ({ organisation }) => {
    counted.stages += 1
    const externalAccountNumber = `N${counted.stages}`
    const warnings = [{ detail: 'd', code: 'unknown_field' as const, attr: 'x' }]
    return E.right({ outcome: 'created', importSupplier: organisation, externalAccountNumber, warnings })
  }
  return { counted, stageAccount }
}

/** Headers with an idempotency key. */
export const keyed = (key: string, headers: Record<string, string> = {}) => ({
  'Idempotency-Key': key,
  ...headers,
})

export const isReplayed = ({ headers }: Response): boolean => headers.get('idempotency-replayed') === 'true'
