import { pipe, type TaskEither, TE } from '../../fp.js'
import type { ApiKeyRecord } from '../../ports/api-keys.js'
import type { Ports } from '../../ports/index.js'
import { portFailure, type PortFailure, type PortResult } from '../../ports/port-failure.js'
import { parseApiKey } from '../../values/api-key.js'
import type { AuthenticationFailed } from '../errors.js'
import { isUsable } from './authenticate.js'

export type CredentialPorts = Pick<Ports, 'apiKeys' | 'secrets' | 'clock'>

type Presented = TaskEither<AuthenticationFailed | PortFailure, ApiKeyRecord>

const failed: AuthenticationFailed = { _tag: 'AuthenticationFailed' }

export const hashOf = ({ secrets }: Pick<Ports, 'secrets'>, secret: string): PortResult<string> =>
  TE.tryCatch(
    () => secrets.hash(secret),
    (cause) => portFailure('unexpected', 'secrets', 'hash', cause),
  )

/** The record of a key that may be used now. */
export const usableKey = ({ apiKeys, clock }: CredentialPorts, id: string): Presented =>
  pipe(
    apiKeys.find(id),
    TE.flatMap((record): Presented =>
      record !== undefined && isUsable(record, clock.now()) ? TE.right(record) : TE.left(failed),
    ),
  )

/** The record of an API key. Plain equality is safe here: what is compared are hashes of 256 random bits. */
export const keyOfApiKey =
  (ports: CredentialPorts) =>
  (text: string): Presented => {
    const key = parseApiKey(text)
    if (key === undefined) return TE.left(failed)
    return pipe(
      hashOf(ports, key.secret),
      TE.bindTo('hash'),
      TE.bindW('record', () => usableKey(ports, key.id)),
      TE.flatMap(({ hash, record }): Presented =>
        record.secretHash === hash ? TE.right(record) : TE.left(failed),
      ),
    )
  }
