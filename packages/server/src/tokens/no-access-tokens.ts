import { portFailure, type AccessTokens, type PortFailure } from '@account-import/core'
import { TE } from '@account-import/core/adapter-kit'

const refused = (operation: string): TE.TaskEither<PortFailure, never> =>
  TE.left(portFailure('unexpected', 'accessTokens', operation, new Error('there is no signing key here')))

/** For processes that neither make nor accept tokens, such as operator commands: every operation fails. */
export const noAccessTokens: AccessTokens = {
  sign: () => refused('sign'),
  verify: () => refused('verify'),
}
