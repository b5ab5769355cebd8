import { noOrganisation, type Actor, type AuditEntry } from '../../domain/audit-entry.js'
import { pipe, TE, type TaskEither } from '../../fp.js'
import type { ApiKeyRecord } from '../../ports/api-keys.js'
import type { Ports } from '../../ports/index.js'
import type { PortResult } from '../../ports/port-failure.js'
import { parseApiKey } from '../../values/api-key.js'
import { networkOf } from '../../values/network-of.js'
import type { Credentials, ObtainTokenRequest } from '../signatures.js'

export type RecordLoginPorts = Pick<Ports, 'apiKeys' | 'auditTrail' | 'clock'>

/** What the record calls a key: by its id, and by its name where it has one. */
export const whoHasKey = (id: string, name: string | undefined): string =>
  name === undefined ? `key ${id}` : `key ${id} (${name})`

type Asked = Pick<ObtainTokenRequest, 'address' | 'requestId'>

type Key = Pick<ApiKeyRecord, 'id' | 'name' | 'organisation'>

/**
 * Records that a key is used, before it gets tokens: each login, and that it never came from this network before. A renewal has no
 * entry of its own, as clients renew all day; that it comes from elsewhere is told all the same.
 */
export const recordKeyUse =
  ({ auditTrail, clock }: RecordLoginPorts, { address, requestId }: Asked, use: 'login' | 'renewal') =>
  ({ id, name, organisation }: Key): PortResult<void> => {
    const subject = networkOf(address)
    const by: Actor = { who: whoHasKey(id, name), requestId }
    const ifNew: AuditEntry = { organisation, at: clock.now(), by, subject, what: 'new_address' }
    const entry: AuditEntry | undefined = use === 'login' ? { ...ifNew, what: 'logged_in' } : undefined
    return auditTrail.recordUse({ apiKeyId: id, network: subject, entry, ifNew })
  }

const keyIdIn = (credentials: Credentials): string | undefined =>
  'apiKey' in credentials ? parseApiKey(credentials.apiKey)?.id : undefined

/**
 * Records a login that failed, or a refresh token that was used again. `keyId`: the key that it names, or that the token was
 * of; where there is such a key, the entry is its organisation's.
 */
export const recordRefusal = (
  { apiKeys, auditTrail, clock }: RecordLoginPorts,
  { address, requestId, credentials }: ObtainTokenRequest,
  what: 'login_failed' | 'refresh_token_reused',
  keyId: string | undefined = keyIdIn(credentials),
): PortResult<void> =>
  pipe(
    keyId === undefined ? TE.right(undefined) : apiKeys.find(keyId),
    TE.flatMap((found) => {
      const who = keyId === undefined ? 'unknown' : whoHasKey(keyId, found?.name)
      const organisation = found?.organisation ?? noOrganisation
      const by: Actor = { who, requestId }
      return auditTrail.record([{ organisation, at: clock.now(), what, by, subject: networkOf(address) }])
    }),
  )

/** Does something about a refusal before it is answered. */
export const beforeRefusal =
  <Failure>(record: (failure: Failure) => PortResult<void> | undefined) =>
  <A>(work: TaskEither<Failure, A>): TaskEither<Failure, A> =>
    pipe(
      work,
      TE.orElse((failure): TaskEither<Failure, A> => {
        const recorded = record(failure)
        if (recorded === undefined) return TE.left(failure)
        return pipe(
          recorded as TaskEither<Failure, void>,
          TE.flatMap(() => TE.left(failure)),
        )
      }),
    )
