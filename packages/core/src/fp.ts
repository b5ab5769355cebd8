/** The only import of fp-ts: all other files of this repository import these names from here. */
import * as E from 'fp-ts/lib/Either.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'

export { E, T, TE }
export { pipe } from 'fp-ts/lib/function.js'
export { type Either } from 'fp-ts/lib/Either.js'
export { type TaskEither } from 'fp-ts/lib/TaskEither.js'
export { type Task } from 'fp-ts/lib/Task.js'
