import { ContainerModule } from 'inversify'
import type { SigningKey } from '@account-import/adapter-access-tokens'
import { joseAccessTokens } from '@account-import/adapter-access-tokens'
import { noAccessTokens } from '../tokens/no-access-tokens.js'
import { portIds } from './port-ids.js'

/** Binds access tokens to a signing key; without one, as in operator commands, no token is made or accepted. */
export const tokensModule = (key: SigningKey | undefined): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(portIds.accessTokens).toConstantValue(key === undefined ? noAccessTokens : joseAccessTokens(key))
  })
