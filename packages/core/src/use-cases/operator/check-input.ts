import type { Codec } from '../../codec/index.js'
import { E, pipe, type TaskEither, TE } from '../../fp.js'
import type { Ports } from '../../ports/index.js'
import { check } from '../../validation/check.js'
import { checkContext } from '../check-payload.js'
import type { OperatorRefusal } from '../errors.js'

/** Reads an operator's input by a codec; all that is wrong with it comes at once. */
export const checkInput =
  (ports: Pick<Ports, 'clock' | 'settings'>) =>
  <A>(codec: Codec<A>, input: unknown): TaskEither<OperatorRefusal, A> =>
    TE.fromEither(
      pipe(
        check(codec, input, checkContext(ports, undefined)),
        E.bimap(
          ({ errors }): OperatorRefusal => ({ _tag: 'InputNotValid', errors }),
          ({ value }) => value,
        ),
      ),
    )

/** Turns the `undefined` or `false` of a port into the refusal that the thing does not exist. */
export const orDoesNotExist =
  (subject: string, name: string) =>
  <A>(found: A | undefined): TaskEither<OperatorRefusal, A> =>
    found === undefined ? TE.left({ _tag: 'DoesNotExist', subject, name }) : TE.right(found)
