import { ContainerModule } from 'inversify'
import type { SigningKey, VerificationKey } from '@account-import/adapter-access-tokens'
import { defaultTokenNames, joseAccessTokens } from '@account-import/adapter-access-tokens'
import { noAccessTokens } from '../tokens/no-access-tokens.js'
import { portIds } from './port-ids.js'

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
