import type { Failure, Result } from '@account-import/client'
import type { Credentials, UseCases } from '@account-import/core'
import { instantOf } from '@account-import/core'
import { E } from '@account-import/core/fp'
import type { ExecutionContext } from 'ava'
import { authenticate } from './some-use-cases.js'

export const failureIn = <Body>(t: ExecutionContext, result: Result<Body>): Failure =>
  result.ok ? t.fail('this should have failed') : result

/** Returns `good` tokens with a lifetime, and records their credentials. */
export const issuing = (
  obtained: Credentials[],
  seconds = 3600,
): Pick<UseCases, 'obtainToken' | 'authenticate'> => ({
  authenticate,
  obtainToken: async ({ credentials }) => {
    obtained.push(credentials)
    return E.right({
      token: 'good',
      expiresAt: instantOf(Date.now() + seconds * 1000),
      refreshToken: `refresh-${obtained.length}`,
      refreshExpiresAt: instantOf(Date.now() + 604_800_000),
    })
  },
})

export const found: UseCases['transferStatus'] = async () =>
  E.right({ status: 'COMPLETED', platformAccountNumber: 'A-1', attempts: 1, latestError: undefined })

/** The answer to a request for a token that lasts. */
export const obtained = {
  data: {
    obtainToken: {
      token: 'T',
      expiresAt: '2099-01-01T00:00:00Z',
      refreshToken: 'R',
      refreshExpiresAt: '2099-01-01T00:00:00Z',
    },
  },
}
