import { pipe, TE, type TaskEither } from '../../fp.js'
import type { Ports } from '../../ports/index.js'
import type { PortFailure, PortResult } from '../../ports/port-failure.js'
import { parseApiKey } from '../../values/api-key.js'
import { networkOf } from '../../values/network-of.js'
import type { TooManyAttempts } from '../errors.js'
import type { Credentials } from '../signatures.js'

type CountPorts = Pick<Ports, 'failedAttempts' | 'clock'>

const tooMany: TooManyAttempts = { _tag: 'TooManyAttempts', retryAfterSeconds: 60 }

/** Failures within a minute that are answered as what they are: of a network, and of it with the id of one key. */
const mostFailures = { network: 10, keyAndNetwork: 5 }

const subjectsOf = (credentials: Credentials, address: string) => {
  const network = networkOf(address)
  const id = 'apiKey' in credentials ? parseApiKey(credentials.apiKey)?.id : undefined
  return [
    { subject: network, most: mostFailures.network },
    ...(id === undefined ? [] : [{ subject: `${id}@${network}`, most: mostFailures.keyAndNetwork }]),
  ]
}

type Subjects = ReturnType<typeof subjectsOf>

const areWithin = (
  subjects: Subjects,
  isWithin: (subject: string, most: number) => PortResult<boolean>,
): PortResult<boolean> =>
  pipe(
    subjects,
    TE.traverseArray(({ subject, most }) => isWithin(subject, most)),
    TE.map((each) => each.every(Boolean)),
  )

/**
 * Counts credentials that were found wrong. What is counted is the network they came from, and the key they name together with
 * it, so that nobody is kept out by what others send. Once there are too many nothing more is written: a flood costs reads.
 * Failures at the same time all pass the first check, so each is checked again by its own number.
 */
export const countFailure =
  ({ failedAttempts, clock }: CountPorts) =>
  <Failure>(
    credentials: Credentials,
    address: string,
    failure: Failure,
  ): TaskEither<Failure | TooManyAttempts | PortFailure, never> => {
    const subjects = subjectsOf(credentials, address)
    const hasRoom = areWithin(subjects, (subject, most) =>
      pipe(
        failedAttempts.recent(subject, clock.now()),
        TE.map((failures) => failures < most),
      ),
    )
    const counted = areWithin(subjects, (subject, most) =>
      pipe(
        failedAttempts.record(subject, clock.now()),
        TE.map((failures) => failures <= most),
      ),
    )
    return pipe(
      hasRoom,
      TE.flatMap((room) => (room ? counted : TE.right(false))),
      TE.flatMap((within): TaskEither<Failure | TooManyAttempts, never> =>
        TE.left(within ? failure : tooMany),
      ),
    )
  }
