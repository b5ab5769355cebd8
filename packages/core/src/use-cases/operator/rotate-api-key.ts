import { pipe, TE, type TaskEither } from '../../fp.js'
import type { ApiKeyRecord } from '../../ports/api-keys.js'
import type { PortFailure } from '../../ports/port-failure.js'
import { plusSeconds, type Instant } from '../../values/instant.js'
import { hasEnded } from '../authentication/usable-key.js'
import type { OperatorRefusal } from '../errors.js'
import type { OperatorUseCases } from '../operator-signatures.js'
import { endOf, newApiKey, type KeyPorts } from './api-keys.js'
import { orDoesNotExist } from './check-input.js'

type Refusable<A> = TaskEither<OperatorRefusal | PortFailure, A>

/** Long enough to tell the client and to see it use the new key. */
const usualOverlapSeconds = 24 * 60 * 60

const livingKey = ({ apiKeys, clock }: KeyPorts, id: string): Refusable<ApiKeyRecord> =>
  pipe(
    apiKeys.find(id),
    TE.flatMap(orDoesNotExist('API key', id)),
    TE.filterOrElseW(
      (record) => !hasEnded(record, clock.now()),
      (): OperatorRefusal => ({ _tag: 'ApiKeyHasEnded', id }),
    ),
  )

const earlier = (one: Instant, other: Instant | undefined): Instant =>
  other !== undefined && other < one ? other : one

/** Replaces a key by another one that may do the same, and lets the old one live on for as long as clients need to change. */
export const rotateApiKey =
  (ports: KeyPorts): OperatorUseCases['rotateApiKey'] =>
  ({ id, overlapSeconds = usualOverlapSeconds, expiresAt }) =>
    pipe(
      livingKey(ports, id),
      TE.bindTo('old'),
      TE.let('endsAt', ({ old }) => earlier(plusSeconds(ports.clock.now(), overlapSeconds), old.expiresAt)),
      TE.bindW('made', ({ old: { organisation, name, scopes } }) =>
        newApiKey(ports, { organisation, name, scopes, expiresAt: endOf(ports.clock.now(), expiresAt) }),
      ),
      TE.tap(({ made, endsAt }) =>
        pipe(
          ports.apiKeys.rotate(id, made.record, endsAt),
          TE.filterOrElseW(
            (rotated) => rotated,
            (): OperatorRefusal => ({ _tag: 'ApiKeyHasEnded', id }),
          ),
        ),
      ),
      TE.map(({ made, endsAt }) => ({ ...made, previous: id, previousEndsAt: endsAt })),
    )
