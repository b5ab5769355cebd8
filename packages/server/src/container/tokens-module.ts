import {
  defaultTokenNames,
  joseAccessTokens,
  type SigningKey,
  type VerificationKey,
} from '@account-import/adapter-access-tokens'
import { type AccessTokens, portFailure, type PortFailure } from '@account-import/core'
import { TE } from '@account-import/core/adapter-kit'
import { ContainerModule } from 'inversify'
import { portIds } from './port-ids.js'

const refused = (operation: string): TE.TaskEither<PortFailure, never> =>
  TE.left(portFailure('unexpected', 'accessTokens', operation, new Error('there is no signing key here')))

/** For processes that neither make nor accept tokens, such as operator commands: every operation fails. */
const noAccessTokens: AccessTokens = {
  sign: () => refused('sign'),
  verify: () => refused('verify'),
}

/**
 * Binds access tokens to a signing key, and to others that are accepted; without a signing key, as in operator commands, no token is
 * made or accepted.
 */
export const tokensModule = (
  key: SigningKey | undefined,
  accepted: readonly VerificationKey[],
): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(portIds.accessTokens).toConstantValue(
      key === undefined ? noAccessTokens : joseAccessTokens(key, defaultTokenNames, accepted),
    )
  })
